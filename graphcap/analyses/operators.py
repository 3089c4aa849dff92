"""Tables for `kinds`: which operators are of which kind, by short name without leading and trailing underscores.

ATen overloads, PyTorch's Python functions, tensor methods and Python's own operators share these names, so one table
serves all. Families go by pattern, the rest by name. `FIRST` is asked before torch's own tags (pointwise, reduction,
view), because an attention is a matmul to a reader whatever its tags say; `LATER` after them, because `max.other` is
pointwise and `max` is not.
"""

from __future__ import annotations

import re

Family = tuple[str, re.Pattern[str]]

FIRST: tuple[Family, ...] = (
    ("symbolic", re.compile(r"sym_.*|(functional_)?(assert|sym_constrain).*|local_scalar_dense|item|size|numel")),
    ("conv", re.compile(r"(.*_)?conv(olution)?([123]d|_tbc|_transpose[123]d|_depthwise[23]d|_dilated[23]d)?(_.*)?")),
    (
        "matmul",
        re.compile(
            r"(.*_)?(mm|bmm|addmm|baddbmm|addbmm|sspaddmm|matmul|imatmul|mv|addmv|dot|vdot|vecdot|tensordot|einsum|outer|ger|addr"
            r"|inner|kron|chain_matmul|multi_dot|spmm|smm|hspmm)(_.*)?"
            r"|(mkldnn_|fbgemm_)?linear(_(relu|int8|fp16|backward|dynamic|prepacked).*)?|bilinear|trilinear"
            r"|.*attention.*|.*(lstm|gru|rnn).*|cdist.*|transformer_encoder_layer_fwd"
        ),
    ),
)
"""(kind, pattern of the whole name), asked in order; the first that matches decides."""

LATER: tuple[Family, ...] = (
    ("random", re.compile(r"(rand(int|n|perm|om)?|normal)(_like|_functional)?|.*dropout.*|philox.*")),
    ("pointwise", re.compile(r"cast_[A-Z].*")),
    (
        "reduction",
        re.compile(
            r".*(soft|log_soft)(max|min)(_.*)?|.*(batch|layer|group|instance|rms|local_response|weight)_norm.*|.*(avg|max|lp)_pool.*"
            r"|.*_loss(2d|_nd)?(_.*)?|(nan)?(cum|logcum)?(sum|prod|max|min|mean|median|quantile)(_dim|exp|_to_size)?(_.*)?"
            r"|(arg|a|amin)(max|min)|(linalg_|native_|matrix_|vector_|linalg_vector_|linalg_matrix_|nuclear_|frobenius_)?norm.*"
            r"|(std|var)(_mean)?|logsumexp|all|any|is_all_true|is_any_true|count_nonzero|aminmax|embedding_bag.*"
            r"|trace|mode|kthvalue|topk|bincount|histc|binary_cross_entropy.*|cross_entropy.*|kl_div|segment_reduce|trapz|trapezoid"
        ),
    ),
)
"""As `FIRST`, for operators that carry no tag."""

_NAMES = {
    "random": """
        bernoulli multinomial uniform cauchy exponential geometric log_normal poisson binomial rrelu
        rrelu_with_noise standard_gamma sample_dirichlet gumbel_softmax seed manual_seed""",
    "view": """
        view view_as reshape reshape_as reshape_alias unsafe_view flatten unflatten ravel permute transpose t T mT
        H mH adjoint numpy_T swapaxes swapdims movedim moveaxis squeeze unsqueeze expand expand_as broadcast_to
        broadcast_tensors slice select narrow split split_with_sizes unsafe_split unsafe_split_with_sizes chunk
        unsafe_chunk tensor_split hsplit vsplit dsplit unbind unfold diagonal as_strided alias detach view_as_real
        view_as_complex real imag conj neg_view lift_fresh getitem view_copy permute_copy transpose_copy
        squeeze_copy unsqueeze_copy expand_copy slice_copy select_copy split_copy split_with_sizes_copy unbind_copy
        unfold_copy diagonal_copy as_strided_copy alias_copy detach_copy t_copy narrow_copy values indices
        crow_indices col_indices contiguous pin_memory requires_grad data""",
    "pointwise": """
        abs absolute acos acosh add addcdiv addcmul and angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh
        asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
        bitwise_xor bool ceil celu clamp clamp_max clamp_min clip clone complex conj_physical convert_element_type
        copy copysign cos cosh deg2rad dequantize digamma div divide double elu eq equal erf erfc erfinv exp exp2
        expit expm1 fake_quantize_per_channel_affine fake_quantize_per_tensor_affine fill fill_diagonal fix float
        float_power floor floor_divide floordiv fmax fmin fmod frac frexp fused_moving_avg_obs_fake_quant fma gcd
        ge gelu glu greater greater_equal gt half hardshrink hardsigmoid hardswish hardtanh heaviside hypot i0 iadd
        iand idiv ifloordiv igamma igammac ilshift imod imul int inv invert ior ipow irshift isclose isfinite isinf
        isnan isneginf isposinf isreal isub itruediv ixor lcm ldexp le leaky_relu lerp less less_equal lgamma
        gammaln log log10 log1p log2 log_sigmoid log_sigmoid_forward logaddexp logaddexp2 logical_and logical_not
        logical_or logical_xor logit logsigmoid long lshift lt masked_fill masked_scale maximum minimum mish mod
        mul multiply mvlgamma nan_to_num native_dropout_backward ne neg negative nextafter not not_equal or polar
        polygamma pos positive pow prelu prelu_kernel quantize_per_channel quantize_per_tensor rad2deg reciprocal
        relu relu6 remainder round rpow rshift rsqrt rsub rtruediv selu sgn sigmoid sign signbit silu sin sinc sinh
        softplus softshrink softsign sqrt square sub subtract tan tanh tanhshrink threshold to to_copy tril triu
        truediv true_divide trunc type type_as where xlogy xor zero""",
    "higher-order": """
        cond while_loop scan associative_scan map map_impl invoke_subgraph invoke_quant checkpoint
        tag_activation_checkpoint autograd_function_apply wrap wrap_with_set_grad_enabled wrap_with_autocast
        wrap_activation_checkpoint wrap_inductor_compiled_regions hints_wrapper strict_mode flex_attention
        flex_attention_backward run_const_graph auto_functionalized auto_functionalized_v2
        triton_kernel_wrapper_mutation triton_kernel_wrapper_functional call_torchbind with_effects out_dtype
        executorch_call_delegate foreach_map""",
}

NAMES: dict[str, str] = {name: kind for kind, text in _NAMES.items() for name in text.split()}
"""Short name -> kind, for everything no family takes."""


def canonical(name: str) -> str:
    """The key of the tables: without the underscores of private, in-place and dunder names, and a family's prefix."""
    return name.strip("_").removeprefix("special_").removeprefix("foreach_")
