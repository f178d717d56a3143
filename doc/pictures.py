#!/usr/bin/env python3
# pictures.py - makes pictures of screens that a test terminal has recorded, as doc/pictures/*.png.
#
#   pictures.py FROM TO     FROM: a folder of NAME.json as vt_shot() of tests/vt.c writes them
#
# Names that begin with "console-" are drawn with a font of Debian's console and the colours of the kernel's;
# all others with GNU Unifont, as a terminal emulator would. Debian's packages: console-setup-linux, unifont.
# The pictures have a palette, and are no larger than they need be: the same cells make the same bytes.

import gzip
import json
import pathlib
import struct
import sys
import zlib

CONSOLE_FONT = "/usr/share/consolefonts/Uni2-Fixed16.psf.gz"
UNIFONT = "/usr/share/unifont/unifont.hex"
WIDTH, HEIGHT = 8, 16

# The sixteen colours of the kernel's console (drivers/tty/vt/vt.c: default_red, default_grn, default_blu).
VGA = [
    (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170), (170, 170, 170),
    (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255), (255, 85, 255), (85, 255, 255),
    (255, 255, 255),
]
FOREGROUND, BACKGROUND = (170, 170, 170), (0, 0, 0)


def psf1(path):
    """A PC screen font, version 1: code point -> 16 rows of 8 bits."""
    data = gzip.open(path).read()
    magic, mode, size = struct.unpack_from("<HBB", data)
    if magic != 0x0436 or size != HEIGHT:
        sys.exit(f"{path}: not a font of 8x16 (psf, version 1)")
    count = 512 if mode & 1 else 256
    glyphs = [data[4 + i * size : 4 + (i + 1) * size] for i in range(count)]
    table = data[4 + count * size :]
    font, glyph, sequence = {}, 0, False
    for (code,) in struct.iter_unpack("<H", table):
        if code == 0xFFFF:
            glyph, sequence = glyph + 1, False
        elif code == 0xFFFE:
            sequence = True
        elif not sequence:
            font.setdefault(code, glyphs[glyph])
    return font


def unifont(path):
    """code point -> 16 rows of 8 or 16 bits."""
    font = {}
    for line in open(path, encoding="ascii"):
        code, bits = line.strip().split(":")
        font[int(code, 16)] = bytes.fromhex(bits)
    return font


class Picture:
    def __init__(self, rows, cols):
        self.rows, self.cols = rows * HEIGHT, cols * WIDTH
        self.palette = [BACKGROUND, FOREGROUND]
        self.line = [bytearray(self.cols) for _ in range(self.rows)]

    def colour(self, rgb):
        if rgb not in self.palette:
            self.palette.append(rgb)
        return self.palette.index(rgb)

    def cell(self, row, col, bits, fg, bg):
        wide = len(bits) // HEIGHT
        for y in range(HEIGHT):
            value = int.from_bytes(bits[y * wide : (y + 1) * wide], "big")
            line = self.line[row * HEIGHT + y]
            for x in range(8 * wide):
                line[col * WIDTH + x] = fg if value >> (8 * wide - 1 - x) & 1 else bg

    def bar(self, row, col):
        """The hardware cursor: an underline."""
        for y in (HEIGHT - 2, HEIGHT - 1):
            line = self.line[row * HEIGHT + y]
            for x in range(WIDTH):
                line[col * WIDTH + x] = 1

    def png(self):
        depth = next(d for d in (1, 2, 4, 8) if len(self.palette) <= 1 << d)
        per, raw = 8 // depth, bytearray()
        for line in self.line:
            raw.append(0)
            for at in range(0, self.cols, per):
                byte = 0
                for pixel in line[at : at + per].ljust(per, b"\0"):
                    byte = byte << depth | pixel
                raw.append(byte)

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", self.cols, self.rows, depth, 3, 0, 0, 0)
        colours = b"".join(bytes(c) for c in self.palette)
        return (
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", head)
            + chunk(b"PLTE", colours)
            + chunk(b"IDAT", zlib.compress(bytes(raw), 9))
            + chunk(b"IEND", b"")
        )


def rgb(value, default, console):
    """value: red, green, blue and the number of the colour, or nothing."""
    if not value:
        return default
    return VGA[value[3]] if console and 0 <= value[3] < 16 else tuple(value[:3])


def draw(path, font, console):
    lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    size, cells = lines[0], lines[1:]
    picture = Picture(size["rows"], size["cols"])
    missing = set()
    for cell in cells:
        fg, bg = rgb(cell["fg"], FOREGROUND, console), rgb(cell["bg"], BACKGROUND, console)
        if "r" in cell["a"]:
            fg, bg = bg, fg
        code = ord(cell["t"][0])
        if code not in font:
            missing.add(code)
        picture.cell(cell["r"], cell["c"], font.get(code, font[0xFFFD]), picture.colour(fg), picture.colour(bg))
    row, col, visible = size["cursor"]
    if visible:
        picture.bar(row, col)
    if missing:
        sys.exit(f"{path}: the font lacks " + " ".join(f"U+{code:04X}" for code in sorted(missing)))
    return picture.png()


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: pictures.py FROM TO")
    source, target = map(pathlib.Path, sys.argv[1:])
    fonts = {True: psf1(CONSOLE_FONT), False: unifont(UNIFONT)}
    shots = sorted(source.glob("*.json"))
    if not shots:
        sys.exit(f"{source}: no screens were recorded there")
    target.mkdir(parents=True, exist_ok=True)
    for path in shots:
        console = path.name.startswith("console-")
        png = draw(path, fonts[console], console)
        (target / path.with_suffix(".png").name).write_bytes(png)
        print(f"{target / path.with_suffix('.png').name}: {len(png)} bytes")


main()
