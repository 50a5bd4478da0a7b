# SPDX-License-Identifier: GPL-3.0-or-later
"""Small components of a latent diffusion pipeline like Stable Diffusion: a text encoder, one step of the U-Net, the
decoder of latents, and the whole pipeline from tokens to image."""

import copy
import math

import torch
from torch import nn
from torch.nn import functional as F

TOKENS = 77
VOCABULARY = 1000
LATENT_CHANNELS = 4
CONTEXT = 128
_HEADS = 4
_TRAINING_STEPS = 1000


class _Attention(nn.Module):
    """Attention of `channels` to themselves, or to a context."""

    def __init__(self, channels, context=None, causal=False):
        super().__init__()
        self.query = nn.Linear(channels, channels)
        self.key_value = nn.Linear(context or channels, 2 * channels)
        self.leave = nn.Linear(channels, channels)
        self.causal = causal
        self.sliced = False

    def _heads(self, rows):
        return rows.unflatten(-1, (_HEADS, -1)).transpose(1, 2)

    def _attend(self, queries, keys, values):
        heads = (queries, keys, values)
        if not self.sliced:
            return F.scaled_dot_product_attention(*heads, is_causal=self.causal)
        slices = zip(*(part.split(1, 1) for part in heads))
        return torch.cat([F.scaled_dot_product_attention(*one, is_causal=self.causal) for one in slices], 1)

    def forward(self, rows, context=None):
        keys, values = self.key_value(rows if context is None else context).chunk(2, -1)
        mixed = self._attend(self._heads(self.query(rows)), self._heads(keys), self._heads(values))
        return self.leave(mixed.transpose(1, 2).flatten(2))


def slice_attention(module):
    """Make the attention of `module` compute one head after the other, so that only one head's scores are in memory."""
    for part in module.modules():
        if isinstance(part, _Attention):
            part.sliced = True
    return module


class _Feed(nn.Sequential):
    def __init__(self, channels):
        super().__init__(nn.Linear(channels, 4 * channels), nn.GELU(), nn.Linear(4 * channels, channels))


class TextEncoder(nn.Module):
    """Tokens [N, 77] to a context [N, 77, C]."""

    def __init__(self, layers=4):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, CONTEXT)
        self.places = nn.Parameter(torch.randn(TOKENS, CONTEXT) * 0.1)
        self.norms = nn.ModuleList(nn.LayerNorm(CONTEXT) for _ in range(2 * layers))
        self.attention = nn.ModuleList(_Attention(CONTEXT, causal=True) for _ in range(layers))
        self.feed = nn.ModuleList(_Feed(CONTEXT) for _ in range(layers))
        self.last = nn.LayerNorm(CONTEXT)

    def forward(self, tokens):
        rows = self.tokens(tokens) + self.places
        for k, (attention, feed) in enumerate(zip(self.attention, self.feed)):
            rows = rows + attention(self.norms[2 * k](rows))
            rows = rows + feed(self.norms[2 * k + 1](rows))
        return self.last(rows)


class _Residual(nn.Module):
    def __init__(self, channels_in, channels_out, time=None):
        super().__init__()
        self.first = nn.Sequential(nn.GroupNorm(8, channels_in), nn.SiLU(), nn.Conv2d(channels_in, channels_out, 3, padding=1))
        self.second = nn.Sequential(nn.GroupNorm(8, channels_out), nn.SiLU(), nn.Conv2d(channels_out, channels_out, 3, padding=1))
        self.time = nn.Linear(time, channels_out) if time else None
        self.skip = nn.Conv2d(channels_in, channels_out, 1) if channels_in != channels_out else nn.Identity()

    def forward(self, features, time=None):
        inner = self.first(features)
        if self.time is not None:
            inner = inner + self.time(time)[:, :, None, None]
        return self.skip(features) + self.second(inner)


class _Mixer(nn.Module):
    """Attention over the positions of a feature map, and to the text if there is one."""

    def __init__(self, channels, context=None):
        super().__init__()
        self.enter = nn.GroupNorm(8, channels)
        self.own = _Attention(channels)
        self.norm, self.text = (nn.LayerNorm(channels), _Attention(channels, context)) if context else (None, None)

    def forward(self, features, context=None):
        rows = self.enter(features).flatten(2).transpose(1, 2)
        mixed = self.own(rows)
        if self.text is not None:
            mixed = mixed + self.text(self.norm(rows + mixed), context)
        return features + mixed.transpose(1, 2).unflatten(2, features.shape[2:])


class UNetStep(nn.Module):
    """Latent [N, 4, H, W], timestep [N] and context [N, 77, C] to the noise in the latent; H and W are multiples of 4."""

    def __init__(self, width=64):
        super().__init__()
        w = (width, 2 * width, 4 * width)
        self.width, time = width, 4 * width
        self.time = nn.Sequential(nn.Linear(width, time), nn.SiLU(), nn.Linear(time, time))
        self.enter = nn.Conv2d(LATENT_CHANNELS, w[0], 3, padding=1)
        self.down = nn.ModuleList(_Residual(a, b, time) for a, b in zip((w[0], *w), w))
        self.shrink = nn.ModuleList(nn.Conv2d(c, c, 3, stride=2, padding=1) for c in w[:-1])
        self.mix_down = nn.ModuleList(_Mixer(c, CONTEXT) for c in w[1:])
        self.up = nn.ModuleList(_Residual(a + b, b, time) for a, b in ((w[2], w[2]), (w[2], w[1]), (w[1], w[0])))
        self.mix_up = nn.ModuleList(_Mixer(c, CONTEXT) for c in (w[2], w[1]))
        self.leave = nn.Sequential(nn.GroupNorm(8, w[0]), nn.SiLU(), nn.Conv2d(w[0], LATENT_CHANNELS, 3, padding=1))

    def base_model(self):
        """The same model without sliced attention."""
        if not any(isinstance(part, _Attention) and part.sliced for part in self.modules()):
            return None
        whole = copy.deepcopy(self)
        for part in whole.modules():
            if isinstance(part, _Attention):
                part.sliced = False
        return whole

    def _embed(self, timestep):
        half = self.width // 2
        rates = torch.exp(torch.arange(half, device=timestep.device) * (-math.log(10000.0) / half))
        angles = timestep[:, None] * rates
        return torch.cat([angles.cos(), angles.sin()], -1)

    def forward(self, latent, timestep, context):
        time = self.time(self._embed(timestep).to(latent.dtype))
        features, skips = self.enter(latent), []
        for k, block in enumerate(self.down):
            features = block(features, time)
            if k > 0:
                features = self.mix_down[k - 1](features, context)
            skips.append(features)
            if k < len(self.shrink):
                features = self.shrink[k](features)
        for k, block in enumerate(self.up):
            features = block(torch.cat([features, skips.pop()], 1), time)
            if k < len(self.mix_up):
                features = F.interpolate(self.mix_up[k](features, context), scale_factor=2.0, mode="nearest")
        return self.leave(features)


class VaeDecoder(nn.Module):
    """Latent [N, 4, H, W] to an image [N, 3, 8·H, 8·W] in −1…1."""

    scale = 8

    def __init__(self, width=32):
        super().__init__()
        w = (4 * width, 4 * width, 2 * width, width)
        self.enter = nn.Conv2d(LATENT_CHANNELS, w[0], 3, padding=1)
        self.middle = nn.ModuleList([_Residual(w[0], w[0]), _Mixer(w[0]), _Residual(w[0], w[0])])
        self.blocks = nn.ModuleList(_Residual(a, b) for a, b in zip(w, w[1:]))
        self.grow = nn.ModuleList(nn.Conv2d(c, c, 3, padding=1) for c in w[1:])
        self.leave = nn.Sequential(nn.GroupNorm(8, width), nn.SiLU(), nn.Conv2d(width, 3, 3, padding=1), nn.Tanh())

    def forward(self, latent):
        features = self.enter(latent)
        for block in self.middle:
            features = block(features)
        for block, grow in zip(self.blocks, self.grow):
            features = grow(F.interpolate(block(features), scale_factor=2.0, mode="nearest"))
        return self.leave(features)


def signal_shares(steps):
    """The share of the image in the latent after each of `steps` steps, from noise to image: a squared cosine
    schedule."""
    return [math.cos((1 - step / steps) * (math.pi / 2) * 0.9) ** 2 for step in range(steps + 1)]


class TextToImage(nn.Module):
    """Tokens [N, 77] and noise [N, images·4, H, W] to images, with `steps` deterministic steps (DDIM). Each step runs
    with and without the prompt, and `guidance` scales the difference. Each prompt gives `images` images, one for each
    part of the noise."""

    def __init__(self, text, unet, decoder, steps=4, guidance=3.0, images=1):
        super().__init__()
        self.text, self.unet, self.decoder = text, unet, decoder
        self.guidance, self.images = guidance, images
        self.shares = signal_shares(steps)
        self.times = [_TRAINING_STEPS * (steps - k) / steps - 1 for k in range(steps)]

    def forward(self, tokens, noise):
        prompt = self.text(tokens)
        nothing = self.text(torch.zeros_like(tokens))
        context = torch.cat([nothing, prompt])[:, None].expand(-1, self.images, -1, -1).flatten(0, 1)
        latent = noise.unflatten(1, (self.images, LATENT_CHANNELS)).flatten(0, 1)
        for time, now, then in zip(self.times, self.shares, self.shares[1:]):
            both = torch.cat([latent, latent])
            timestep = torch.full_like(both[:, 0, 0, 0], time)
            plain, guided = self.unet(both, timestep, context).unflatten(0, (2, -1)).unbind(0)
            found = plain + self.guidance * (guided - plain)
            image = (latent - math.sqrt(1 - now) * found) / math.sqrt(now)
            latent = math.sqrt(then) * image + math.sqrt(1 - then) * found
        return self.decoder(latent).unflatten(0, (-1, self.images)).flatten(1, 2)
