"""GRU over a packed sequence."""
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(3, 4, bidirectional=True)

    def forward(self, x, lengths):
        y, h = self.gru(pack_padded_sequence(x, lengths))
        return pad_packed_sequence(y)[0], h


model = M()
example_args = (torch.randn(5, 2, 3), torch.tensor([5, 3]))
