#!/usr/bin/env python3
"""png_small.py FROM TO COMMENT - converts a PNG of 8 bits a channel to one with a palette, which is much smaller. Rare colours become their nearest frequent one, and COMMENT is in the file. Standard library only."""

import struct
import sys
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 160


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def paeth(left, up, corner):
    guess = left + up - corner
    distances = abs(guess - left), abs(guess - up), abs(guess - corner)
    return (left, up, corner)[distances.index(min(distances))]


def unfiltered(raw, width, height, channels):
    """The rows of the picture, without what PNG does to bytes before it packs them."""
    size, before, at = width * channels, bytes(width * channels), 0
    for _ in range(height):
        how, line = raw[at], bytearray(raw[at + 1 : at + 1 + size])
        at += 1 + size
        for i in range(size if how else 0):
            left = line[i - channels] if i >= channels else 0
            up, corner = before[i], before[i - channels] if i >= channels else 0
            add = (0, left, up, (left + up) // 2, paeth(left, up, corner) if how == 4 else 0)[how]
            line[i] = (line[i] + add) & 255
        before = bytes(line)
        yield before


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    parts = list(chunks(data))
    width, height, depth, colour = struct.unpack(">IIBB", parts[0][1][:10])
    if data[:8] != SIGNATURE or depth != 8 or colour not in (2, 6):
        raise SystemExit("%s: no PNG of 8 bits a channel" % path)
    channels = 3 if colour == 2 else 4
    raw = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    return width, height, [
        [row[i : i + 3] for i in range(0, len(row), channels)] for row in unfiltered(raw, width, height, channels)
    ]


def palette_of(rows):
    counts = {}
    for row in rows:
        for pixel in row:
            counts[pixel] = counts.get(pixel, 0) + 1
    palette = sorted(sorted(counts), key=lambda pixel: -counts[pixel])[:COLOURS]
    nearest = {
        pixel: min(range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(pixel, palette[i])))
        for pixel in counts
    }
    return palette, nearest


def main(source, target, comment):
    width, height, rows = read(source)
    palette, nearest = palette_of(rows)
    packed = zlib.compress(b"".join(b"\0" + bytes(nearest[pixel] for pixel in row) for row in rows), 9)
    with open(target, "wb") as file:
        file.write(SIGNATURE)
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)))
        file.write(chunk(b"tEXt", b"Comment\0" + comment.encode("latin-1")))
        file.write(chunk(b"PLTE", b"".join(palette)))
        file.write(chunk(b"IDAT", packed))
        file.write(chunk(b"IEND", b""))


if __name__ == "__main__":
    main(*sys.argv[1:])
