# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations of Stable Diffusion 1.5, 2.1 and XL as their authors published them, and narrow ones of the same build
for tests and small machines."""

_CROSS = "CrossAttnDownBlock2D", "CrossAttnUpBlock2D"


def _text(hidden, layers, heads, activation, projection, projected=False, vocabulary=49408):
    return {
        "_class_name": "CLIPTextModelWithProjection" if projected else "CLIPTextModel",
        "vocab_size": vocabulary,
        "hidden_size": hidden,
        "intermediate_size": 4 * hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "max_position_embeddings": 77,
        "hidden_act": activation,
        "projection_dim": projection,
        "bos_token_id": vocabulary - 2,
        "eos_token_id": vocabulary - 1,
    }


def _unet(side, widths, context, heads, layers=2, **more):
    last = len(widths) - 1
    return {
        "_class_name": "UNet2DConditionModel",
        "sample_size": side,
        "block_out_channels": widths,
        "down_block_types": (_CROSS[0],) * last + ("DownBlock2D",),
        "up_block_types": ("UpBlock2D",) + (_CROSS[1],) * last,
        "layers_per_block": layers,
        "cross_attention_dim": context,
        "attention_head_dim": heads,
        **more,
    }


def _unet_xl(side, widths, context, heads, pooled, time=256, depths=(1, 2, 10), layers=2):
    return _unet(
        side,
        widths,
        context,
        heads,
        layers,
        down_block_types=("DownBlock2D", _CROSS[0], _CROSS[0]),
        up_block_types=(_CROSS[1], _CROSS[1], "UpBlock2D"),
        transformer_layers_per_block=depths,
        use_linear_projection=True,
        addition_embed_type="text_time",
        addition_time_embed_dim=time,
        projection_class_embeddings_input_dim=pooled + 6 * time,
    )


def _vae(size, widths=(128, 256, 512, 512), layers=2, scaling=0.18215):
    return {
        "_class_name": "AutoencoderKL",
        "sample_size": size,
        "block_out_channels": widths,
        "down_block_types": ("DownEncoderBlock2D",) * len(widths),
        "up_block_types": ("UpDecoderBlock2D",) * len(widths),
        "layers_per_block": layers,
        "latent_channels": 4,
        "scaling_factor": scaling,
    }


_WIDE = (320, 640, 1280, 1280)
_NARROW = (32, 64, 64, 64)

ARCHITECTURES = {
    "sd_1_5": {
        "text_encoder": _text(768, 12, 12, "quick_gelu", 768),
        "unet": _unet(64, _WIDE, 768, 8),
        "vae": _vae(512),
    },
    "sd_2_1": {
        "text_encoder": _text(1024, 23, 16, "gelu", 512),
        "unet": _unet(96, _WIDE, 1024, (5, 10, 20, 20), use_linear_projection=True, upcast_attention=True),
        "vae": _vae(768),
    },
    "sdxl": {
        "text_encoder": _text(768, 12, 12, "quick_gelu", 768),
        "text_encoder_2": _text(1280, 32, 20, "gelu", 1280, projected=True),
        "unet": _unet_xl(128, _WIDE[:3], 2048, (5, 10, 20), 1280),
        "vae": _vae(1024, scaling=0.13025),
    },
    "sd_1_5_small": {
        "text_encoder": _text(64, 2, 2, "quick_gelu", 64, vocabulary=1000),
        "unet": _unet(16, _NARROW, 64, 8, layers=1),
        "vae": _vae(128, _NARROW, 1),
    },
    "sd_2_1_small": {
        "text_encoder": _text(96, 3, 2, "gelu", 64, vocabulary=1000),
        "unet": _unet(16, _NARROW, 96, (2, 4, 4, 4), 1, use_linear_projection=True, upcast_attention=True),
        "vae": _vae(128, _NARROW, 1),
    },
    "sdxl_small": {
        "text_encoder": _text(64, 2, 2, "quick_gelu", 64, vocabulary=1000),
        "text_encoder_2": _text(96, 3, 2, "gelu", 48, projected=True, vocabulary=1000),
        "unet": _unet_xl(16, (32, 64, 64), 160, (2, 4, 4), 48, time=32, depths=(1, 1, 2), layers=1),
        "vae": _vae(128, _NARROW, 1, 0.13025),
    },
}
