"""Organisers' colours, made readable on light and on dark paper."""

from __future__ import annotations

import colorsys

PAPER = {"light": "#FFFFFF", "dark": "#1D1F26"}
READABLE = 4.5


def twins(colour: str) -> tuple[str, str]:
    """The colour for light and for dark paper: as it is where it can be read, else darker or lighter in the same hue."""
    return _readable(colour, PAPER["light"], -0.02), _readable(colour, PAPER["dark"], 0.02)


def contrast(a: str, b: str) -> float:
    """WCAG 2 contrast ratio of two #rrggbb colours, 1 to 21."""
    lighter, darker = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _readable(colour: str, ground: str, step: float) -> str:
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(colour))
    while contrast(colour, ground) < READABLE and 0 < lightness + step < 1:
        lightness += step
        colour = "#" + "".join(f"{round(channel * 255):02X}" for channel in colorsys.hls_to_rgb(hue, lightness, saturation))
    return colour


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def _luminance(colour: str) -> float:
    linear = [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
