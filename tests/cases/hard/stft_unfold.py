"""Ops with many decompositions: stft, unfold, interpolate, group norm, cdist, cumsum, logsumexp."""
import torch
import torch.nn.functional as F


class M(torch.nn.Module):
    def forward(self, wave, image):
        spectrum = torch.stft(wave, 8, return_complex=True).abs()
        up = F.interpolate(image, scale_factor=2.0, mode="bilinear")
        return (
            spectrum,
            F.unfold(up, 3).logsumexp(1),
            F.group_norm(up, 2).cumsum(-1),
            torch.cdist(image[0, 0], image[0, 1]),
            F.avg_pool2d(up, 2),
            F.pad(image, (1, 1, 1, 1), mode="reflect"),
        )


model = M()
example_args = (torch.randn(64), torch.randn(1, 4, 4, 4, requires_grad=True))
