# SPDX-License-Identifier: GPL-3.0-or-later
"""Token ids as a tokenizer would give them: words of the vocabulary between the tokens that begin and end a text."""

import torch

from .. import REFERENCE_SAMPLES
from .json_files import read_hint

_BEGINS = ("cls_token", "bos_token")
_ENDS = ("sep_token", "eos_token")


class Vocabulary:
    """The ids that a text model takes, from its configuration and the tokenizer's files in its folder, if any."""

    def __init__(self, config, folder=None):
        self.size = int(config.vocab_size)
        tokens, described = self._tokens(folder) if folder else ({}, {})
        self._ids = {}
        for role in (*_BEGINS, *_ENDS, "pad_token", "unk_token", "mask_token"):
            written = described.get(role)
            written = written.get("content") if isinstance(written, dict) else written
            number = tokens.get(written, getattr(config, f"{role}_id", None))
            number = number[0] if isinstance(number, list) and number else number
            if isinstance(number, int) and 0 <= number < self.size:
                self._ids[role] = number
        special = {*self._ids.values(), *(number for number in tokens.values() if number < self.size)}
        self.words = [number for number in range(self.size) if number not in special] or list(range(self.size))

    @staticmethod
    def _tokens(folder):
        """Return (ids of the special tokens by their text, the tokenizer's description)."""
        described = {}
        for name in ("special_tokens_map.json", "tokenizer_config.json"):
            described |= read_hint(folder, name) or {}
        added = described.get("added_tokens_decoder") or {}
        tokens = {
            str(token.get("content")): int(number)
            for number, token in (added.items() if isinstance(added, dict) else [])
            if isinstance(token, dict) and token.get("special") and str(number).isdigit()
        }
        for token in (read_hint(folder, "tokenizer.json") or {}).get("added_tokens") or []:
            if isinstance(token, dict) and token.get("special") and isinstance(token.get("id"), int):
                tokens.setdefault(str(token.get("content")), token["id"])
        return tokens, described

    def _first(self, roles):
        return next((self._ids[role] for role in roles if role in self._ids), None)

    def texts(self, length, seed):
        """Return (ids, mask) of REFERENCE_SAMPLES texts, padded to `length`; the first fills it."""
        generator = torch.Generator().manual_seed(seed)
        words = torch.tensor(self.words)
        ids = words[torch.randint(0, len(words), (REFERENCE_SAMPLES, length), generator=generator)]
        mask = torch.ones_like(ids)
        begin, end, pad = self._first(_BEGINS), self._first(_ENDS), self._ids.get("pad_token", self._first(_ENDS))
        for row in range(REFERENCE_SAMPLES):
            used = max(min(length, 4), length - row * length // (2 * REFERENCE_SAMPLES))
            if begin is not None:
                ids[row, 0] = begin
            if end is not None and used > 1:
                ids[row, used - 1] = end
            ids[row, used:] = 0 if pad is None else pad
            mask[row, used:] = 0
        return ids, mask
