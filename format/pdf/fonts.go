package pdf

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// font maps a font's codes to characters (9.10.2) and widths.
type font struct {
	toUnicode *cmap              // of the font; may be nil
	wide      bool               // codes have two bytes, or the lengths of the CMap
	codes     *cmap              // embedded CMap of a composite font; nil if codes have two bytes
	unicode   bool               // codes are UTF-16
	legacy    encoding.Encoding  // codes are text of this encoding; nil if not
	simple    *[256]string       // of a simple font
	widths    map[uint32]float64 // in thousandths of the size
	otherwise float64            // for codes without a width
	known     *[256]glyph        // glyphs of a simple font, as far as they are shown
	last      glyph              // of a composite font
}

// glyph is one code of a string.
type glyph struct {
	code  uint32
	bytes int
	text  string // "" if unknown
	width float64
}

// legacyMaps are predefined CMaps of composite fonts that use the codes of an encoding (9.7.5.2).
var legacyMaps = []struct {
	begin    string
	encoding encoding.Encoding
}{
	{"GBK", simplifiedchinese.GBK}, {"GB-EUC", simplifiedchinese.GBK}, {"GBpc-EUC", simplifiedchinese.GBK},
	{"B5pc", traditionalchinese.Big5}, {"ETen-B5", traditionalchinese.Big5},
	{"ETenms-B5", traditionalchinese.Big5}, {"HKscs-B5", traditionalchinese.Big5}, {"83pv-RKSJ", japanese.ShiftJIS},
	{"90ms-RKSJ", japanese.ShiftJIS},
	{"90msp-RKSJ", japanese.ShiftJIS}, {"90pv-RKSJ", japanese.ShiftJIS}, {"Ext-RKSJ", japanese.ShiftJIS},
	{"EUC-", japanese.EUCJP}, {"KSC-EUC", korean.EUCKR},
	{"KSCms-UHC", korean.EUCKR}, {"KSCpc-EUC", korean.EUCKR},
}

// maxFonts is the number of fonts kept for a document.
const maxFonts = 2000

// font returns the font of this name in resources, or nil.
func (w *writer) font(resources dict, called name) *font {
	o := w.d.dict(resources["Font"])[called]
	r, isRef := o.(ref)
	if isRef {
		if f, ok := w.fonts[r]; ok {
			return f
		}
	}
	var f *font
	if found := w.d.dict(o); found != nil {
		f = w.d.font(found)
	}
	if isRef && len(w.fonts) < maxFonts {
		w.fonts[r] = f
	}
	return f
}

func (d *document) font(o dict) *font {
	const usual, monospaced = 500, 600
	f := &font{widths: map[uint32]float64{}, otherwise: usual}
	if s := d.stream(o["ToUnicode"]); s != nil {
		f.toUnicode = d.cmap(s, 0)
	}
	if d.name(o["Subtype"]) == "Type0" {
		d.composite(f, o)
		return f
	}
	base := d.name(o["BaseFont"])
	if strings.Contains(base, "Courier") {
		f.otherwise = monospaced
	}
	descriptor := d.dict(o["FontDescriptor"])
	if n, ok := d.float(descriptor["MissingWidth"]); ok && n > 0 {
		f.otherwise = n
	}
	first := d.numberOr(o["FirstChar"], 0)
	scale := 1.0
	// Type3 widths have their own unit.
	if m, ok := d.matrixOf(o["FontMatrix"]); ok && d.name(o["Subtype"]) == "Type3" {
		scale = m[0] * 1000
	}
	widths := d.array(o["Widths"])
	for i, v := range widths[:min(len(widths), 256)] {
		if n, ok := d.float(v); ok && n > 0 && first+int64(i) >= 0 && first+int64(i) < 256 {
			f.widths[uint32(first)+uint32(i)] = n * scale //nolint:gosec // below 256
		}
	}
	if len(widths) == 0 {
		for c, n := range roughWidths {
			f.widths[uint32(c)] = n //nolint:gosec // a letter of ASCII
		}
		if f.otherwise == monospaced {
			clear(f.widths)
		}
	}
	f.simple = d.encoding(o, base)
	return f
}

// roughWidths are the widths of letters that differ much from the average. They serve the standard
// fonts, which do not state widths.
var roughWidths = func() map[rune]float64 {
	m := map[rune]float64{}
	for letters, width := range map[string]float64{" .,:;!|'ijl/()[]It": 270, "frs-J": 350,
		"ABCDEFGHKNOPQRSTUVXYZw": 690, "mMW@%": 850} {
		for _, c := range letters {
			m[c] = width
		}
	}
	return m
}()

// encoding returns the characters of a simple font by its encoding (9.6.5).
func (d *document) encoding(o dict, base string) *[256]string {
	named, differences := "", array(nil)
	switch e := d.follow(o["Encoding"]).(type) {
	case name:
		named = string(e)
	case dict:
		named, differences = d.name(e["BaseEncoding"]), d.array(e["Differences"])
	}
	all := *baseEncoding(named, base)
	code := int64(0)
	for _, v := range differences[:min(len(differences), 1024)] {
		switch v := d.follow(v).(type) {
		case int64:
			code = v
		case name:
			if code >= 0 && code < 256 {
				all[code] = ofGlyph(string(v))
			}
			code++
		}
	}
	return &all
}

// composite reads a composite font (9.7).
func (d *document) composite(f *font, o dict) {
	const usual = 1000
	f.wide, f.otherwise = true, usual
	switch e := d.follow(o["Encoding"]).(type) {
	case name:
		f.unicode = strings.Contains(string(e), "UCS2") || strings.Contains(string(e), "UTF16")
		for _, m := range legacyMaps {
			if strings.HasPrefix(string(e), m.begin) {
				f.legacy = m.encoding
			}
		}
	case *stream:
		f.codes = d.cmap(e, 0)
	}
	below := d.array(o["DescendantFonts"])
	if len(below) == 0 {
		return
	}
	descendant := d.dict(below[0])
	if n, ok := d.float(descendant["DW"]); ok {
		f.otherwise = n
	}
	d.widths(f, d.array(descendant["W"]))
}

// widths reads the widths of a composite font: "c [w1 w2 …]" and "first last w" (9.7.4.3).
func (d *document) widths(f *font, w array) {
	const most = 70_000
	for len(w) >= 2 && len(f.widths) < most {
		first := d.numberOr(w[0], -1)
		if list := d.array(w[1]); list != nil {
			for i, v := range list {
				if n, ok := d.float(v); ok && first >= 0 && first < 1<<16 && len(f.widths) < most {
					f.widths[uint32(first)+uint32(i)] = n //nolint:gosec // small
				}
			}
			w = w[2:]
			continue
		}
		last := d.numberOr(w[1], -1)
		if len(w) < 3 {
			return
		}
		if n, ok := d.float(w[2]); ok && first >= 0 && last < 1<<16 {
			for c := first; c <= last && len(f.widths) < most; c++ {
				f.widths[uint32(c)] = n //nolint:gosec // below 2^16
			}
		}
		w = w[3:]
	}
}

// first returns the first code of a string, until the next call. The glyphs of a simple font are looked up
// once.
func (f *font) first(s text) *glyph {
	if f.wide {
		f.last = f.next(s)
		return &f.last
	}
	if f.known == nil {
		f.known = new([256]glyph)
	}
	g := &f.known[s[0]]
	if g.bytes == 0 {
		*g = f.next(s[:1])
	}
	return g
}

// next returns the first code of a string.
func (f *font) next(s text) glyph {
	g := glyph{code: uint32(s[0]), bytes: 1}
	switch {
	case f.legacy != nil:
		return f.nextLegacy(s)
	case f.codes != nil:
		g.code, g.bytes = f.codes.next(s)
	case f.wide && len(s) > 1:
		g.code, g.bytes = uint32(s[0])<<8|uint32(s[1]), 2
	}
	var ok bool
	if g.width, ok = f.widths[f.cid(g.code)]; !ok {
		g.width = f.otherwise
	}
	g.text, ok = f.toUnicode.text(g.code, g.bytes)
	switch {
	case ok && g.text != "" && g.text != "\x00":
	case f.simple != nil:
		g.text = f.simple[g.code&0xff]
	case f.unicode && utf16.IsSurrogate(rune(g.code)) && len(s) > 3:
		g.text = string(utf16.DecodeRune(rune(g.code), rune(s[2])<<8|rune(s[3])))
		g.bytes = 4
	case f.unicode:
		g.text = string(rune(g.code))
	default:
		g.text = ""
	}
	if strings.HasPrefix(g.text, "\uFFFD") || strings.HasPrefix(g.text, "\x00") {
		g.text = ""
	}
	return g
}

// cid returns the glyph number for a code, by the CMap.
func (f *font) cid(code uint32) uint32 {
	if f.codes == nil {
		return code
	}
	return f.codes.cid(code)
}

// nextLegacy returns a code of one or two bytes of an old encoding.
func (f *font) nextLegacy(s text) glyph {
	g := glyph{code: uint32(s[0]), bytes: 1, width: f.otherwise}
	for n := 1; n <= min(2, len(s)); n++ {
		b, err := f.legacy.NewDecoder().Bytes(s[:n])
		if r, _ := utf8.DecodeRune(b); err == nil && len(b) > 0 && r != utf8.RuneError {
			g.bytes, g.text = n, string(b)
			break
		}
		g.bytes = n
	}
	if g.bytes == 1 {
		g.width /= 2
	}
	return g
}
