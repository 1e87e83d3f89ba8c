"""Makes old images and pages in the folder named on standard input: GIF, PCX and X bitmaps with
Pillow, HTML with Python's codecs.

Writes a line for each: FILE, tab, Content-Type.
"""
import os
import random
import sys

from PIL import Image, ImageDraw

# The encodings of the pages: declared label, Python's codec, a text.
PAGES = [
    ("iso-8859-1", "latin_1", "Käse, naïveté, ¡olé!"),
    ("windows-1252", "cp1252", "“Œuvre” – 100 €"),
    ("iso-8859-2", "iso8859_2", "Příliš žluťoučký kůň"),
    ("windows-1250", "cp1250", "Zażółć gęślą jaźń"),
    ("iso-8859-5", "iso8859_5", "Съешь же ещё"),
    ("windows-1251", "cp1251", "Съешь же ещё этих мягких"),
    ("koi8-r", "koi8_r", "Съешь же ещё ┌─┐"),
    ("koi8-u", "koi8_u", "Їжак і ґава"),
    ("iso-8859-7", "iso8859_7", "Ξεσκεπάζω τὴν".replace("ὴ", "ή")),
    ("windows-1254", "cp1254", "Pijamalı hasta yağız şoföre"),
    ("windows-1255", "cp1255", "דג סקרן שט בים"),
    ("windows-1256", "cp1256", "نص حكيم له سر"),
    ("windows-1257", "cp1257", "Įlinkdama fechtuotojo špaga"),
    ("iso-8859-15", "iso8859_15", "Šaty za 5 €"),
    ("tis-620", "cp874", "เป็นมนุษย์สุดประเสริฐ"),
    ("shift_jis", "cp932", "いろは 日本語 ｶﾀｶﾅ ①"),
    ("euc-jp", "euc_jp", "いろは 日本語"),
    ("iso-2022-jp", "iso2022_jp", "いろは 日本語"),
    ("gb2312", "gb2312", "天地玄黄"),
    ("gb18030", "gb18030", "天地玄黄 😀 ŋ"),
    ("big5", "big5", "天地玄黃"),
    ("euc-kr", "cp949", "다람쥐 헌 쳇바퀴"),
    ("macintosh", "mac_roman", "naïve √ π"),
]


def pages(folder):
    for label, codec, text in PAGES:
        page = f'<html><head>\n<META http-equiv="Content-Type" content="text/html; charset={label}">\n<title>{text}</title>\n</head><body title="{text}">{text}</body></html>\n'
        yield f"{label}.html", page.encode(codec), "text/html"
    yield "utf-16.html", "\ufeff<html><title>日本語 😀</title></html>".encode("utf-16-le"), "text/html"
    yield "header.html", "<html><title>Привет</title></html>".encode("koi8_r"), "text/html; charset=KOI8-R"


def noise(mode, size, seed, colours):
    image = Image.new("RGB", size)
    rng = random.Random(seed)
    table = [tuple(rng.randrange(256) for _ in range(3)) for _ in range(colours)]
    image.putdata([rng.choice(table) for _ in range(size[0] * size[1])])
    return image.quantize(colours) if mode == "P" else image


def shape(size, at, colour):
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    ImageDraw.Draw(image).ellipse((at, at, at + 20, at + 20), fill=colour)
    return image


def images(folder):
    def path(name):
        return os.path.join(folder, name)

    noise("P", (61, 43), 1, 256).save(path("noise.gif"))
    noise("P", (64, 33), 2, 7).save(path("interlaced.gif"), interlace=1, comment=b"made by Pillow")
    noise("P", (5, 1), 3, 2).save(path("small.gif"))
    shape((50, 40), 7, (200, 30, 30, 255)).save(path("transparent.gif"))
    colours = [(255, 0, 0, 255), (0, 128, 0, 255), (0, 0, 255, 255), (200, 200, 0, 255)]
    for disposal in (0, 1, 2, 3):
        frames = [shape((60, 50), 5 + 8 * i, c) for i, c in enumerate(colours)]
        frames[0].save(path(f"moving{disposal}.gif"), save_all=True, append_images=frames[1:], duration=[100, 250, 40, 1000], loop=disposal, disposal=disposal)
    frames = [noise("P", (30, 30), 10 + i, 200) for i in range(5)]  # a palette for each
    frames[0].save(path("palettes.gif"), save_all=True, append_images=frames[1:], duration=70)
    noise("P", (40, 30), 20, 250).save(path("paint.pcx"))
    for width in (1, 7, 8, 9, 16, 33):
        bits = noise("RGB", (width, 13), width, 2).convert("1")
        bits.save(path(f"bits{width}.xbm"))
    noise("RGB", (16, 16), 99, 2).convert("1").save(path("hot.xbm"), hotspot=(3, 4))


def main():
    folder = sys.stdin.readline().rstrip("\n")
    for name, content, media in pages(folder):
        with open(os.path.join(folder, name), "wb") as out:
            out.write(content)
        print(name, media, sep="\t")
    images(folder)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".gif"):
            print(name, "image/gif", sep="\t")
        if name.endswith(".pcx"):
            print(name, "image/x-pcx", sep="\t")
        if name.endswith(".xbm"):
            print(name, "image/x-xbitmap", sep="\t")


main()
