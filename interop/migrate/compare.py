"""Compares bytestreams with their conversions.

Reads the names of WARC files from standard input, sources and conversions, and finds records by
their ids, with warcio. Writes a line for each conversion: the target URI, a tab, and "same" or the
difference.
"""
import io
import re
import sys

from PIL import Image, ImageChops, ImageSequence
from warcio.archiveiterator import ArchiveIterator

CODECS = {"shift_jis": "cp932", "euc-kr": "cp949", "tis-620": "cp874", "iso-8859-1": "cp1252", "macintosh": "mac_roman"}


def frames(content):
    """Returns all frames as RGBA with their durations, and the loop count."""
    image = Image.open(io.BytesIO(content))
    shown = []
    for frame in ImageSequence.Iterator(image):
        shown.append((frame.convert("RGBA"), frame.info.get("duration", 0)))
    return shown, image.info.get("loop")


def visible(image):
    """Returns the image with one colour for all fully transparent pixels."""
    empty = Image.new("RGBA", image.size, (0, 0, 0, 0))
    return Image.composite(image, empty, image.getchannel("A").point(lambda a: 255 if a else 0))


def pictures(old, new):
    (a, loop), (b, again) = frames(old), frames(new)
    if len(a) != len(b):
        return f"{len(a)} frames became {len(b)}"
    for i, ((x, long), (y, now)) in enumerate(zip(a, b)):
        if x.size != y.size or ImageChops.difference(visible(x), visible(y)).getbbox():
            return f"frame {i} shows something else"
        if len(a) > 1 and long != now:
            return f"frame {i} is shown for {now} ms, not {long}"
    times = 1 if loop is None else 0 if loop == 0 else loop + 1
    if len(a) > 1 and again != times:
        return f"it is shown {again} times, not {times}"
    return "same"


def bitmaps(old, new):
    # Pillow shows a set bit as white. X, ImageMagick and the browsers that showed X bitmaps use the
    # foreground colour: black.
    a, b = ImageChops.invert(Image.open(io.BytesIO(old)).convert("L")), Image.open(io.BytesIO(new)).convert("L")
    return "same" if a.size == b.size and a.tobytes() == b.tobytes() else "shows something else"


def text(old, header, new):
    declared = re.search(rb"charset=([\w-]+)", old) or re.search(rb"charset=([\w-]+)", header.encode())
    label = "utf-16" if old[:2] == b"\xff\xfe" else declared.group(1).decode().lower()
    was = old.decode(CODECS.get(label, label))
    want = re.sub(r"charset=[\w-]+", "charset=utf-8", was)
    return "same" if new.decode("utf-8") == want else f"{want!r} became {new!r}"


def main():
    old, made = {}, []
    for line in sys.stdin:
        with open(line.rstrip("\n"), "rb") as stream:
            for record in ArchiveIterator(stream):
                headers = record.rec_headers
                media = record.http_headers.get_header("Content-Type") if record.http_headers else headers.get_header("Content-Type")
                content = record.content_stream().read()
                if record.rec_type == "conversion":
                    made.append((headers.get_header("WARC-Target-URI"), headers.get_header("WARC-Refers-To"), media, content))
                else:
                    old[headers.get_header("WARC-Record-ID")] = (headers.get_header("WARC-Target-URI"), media, content)
    for uri, refers, media, content in made:
        source, was, before = old[refers]
        if source != uri:
            said = f"states {uri}, but its source is {source}"
        elif uri.endswith(".gif") and media == "image/png":
            said = pictures(before, content)
        elif uri.endswith(".xbm") and media == "image/png":
            said = bitmaps(before, content)
        elif uri.endswith(".pcx") and media == "image/png":
            said = pictures(before, content)
        elif media == "text/html;charset=utf-8":
            said = text(before, was, content)
        else:
            said = f"{was} became {media}"
        print(uri, said, sep="\t")


main()
