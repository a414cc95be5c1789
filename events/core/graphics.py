"""Readable variants of organisers' colours, and QR codes."""

from __future__ import annotations

import colorsys
import io

import segno

PAPER_COLOURS = {"light": "#FFFFFF", "dark": "#1D1F26"}
MIN_CONTRAST = 4.5


def light_and_dark(colour: str) -> tuple[str, str]:
    """Return the colour for light and for dark pages, darkened or lightened in its hue if its contrast is too low."""
    return _readable(colour, PAPER_COLOURS["light"], -0.02), _readable(colour, PAPER_COLOURS["dark"], 0.02)


def colour_note(colour: str) -> str:
    """Say how the colour is changed for texts on light and dark pages; empty if it is shown as it is."""
    shown = zip(PAPER_COLOURS, light_and_dark(colour), strict=True)
    changed = [f"{shade} on {name} pages" for name, shade in shown if shade.lower() != colour.lower()]
    return f"{colour} is hard to read as text on some grounds: it is shown as {' and as '.join(changed)}." if changed else ""


def contrast(a: str, b: str) -> float:
    """Return the WCAG 2 contrast ratio of two #rrggbb colours, 1 to 21."""
    lighter, darker = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _readable(colour: str, background: str, step: float) -> str:
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(colour))
    while contrast(colour, background) < MIN_CONTRAST and 0 < lightness + step < 1:
        lightness += step
        colour = "#" + "".join(f"{round(channel * 255):02X}" for channel in colorsys.hls_to_rgb(hue, lightness, saturation))
    return colour


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _luminance(colour: str) -> float:
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def qr_svg(text: str) -> bytes:
    """Draw black on white with a quiet zone, which also scans on a dark page; without style, class or script."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", scale=4, unit="px", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None)
    return out.getvalue()
