package pdf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// standardHigh are the characters of StandardEncoding from 0xa1 (annex D.2); a middle dot means
// unused.
const standardHigh = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ·–†‡··¶•‚„”»…‰·¿·`´ˆ˜¯˘˙¨·˚¸·˝˛ˇ—················Æ·ª····ŁØŒº·····æ···ı··łøœß"

var standard, winAnsi, macRoman, symbolic = makeEncodings()

func makeEncodings() (standard, win, mac, symbol *[256]string) {
	standard, win, mac, symbol = new([256]string), new([256]string), new([256]string), new([256]string)
	for c := range 256 {
		win[c], mac[c] = string(charmap.Windows1252.DecodeByte(byte(c))), string(charmap.Macintosh.DecodeByte(byte(c)))
		if c >= ' ' && c < 0x7f {
			standard[c] = string(rune(c))
		}
		if c < ' ' {
			win[c], mac[c] = "", ""
		}
	}
	standard['\''], standard['`'] = "’", "‘"
	c := 0xa1
	for _, r := range standardHigh {
		if r != '·' || c == 0xb4 {
			standard[c] = string(r)
		}
		c++
	}
	win[0x7f], win[0xa0], win[0xad] = "•", " ", "-"
	const greek = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
	c = ' '
	for _, r := range greek {
		symbol[c] = string(r)
		c++
	}
	return standard, win, mac, symbol
}

// baseEncoding returns the encoding of this name or, without a name, the font's own.
func baseEncoding(named, font string) *[256]string {
	switch {
	case named == "WinAnsiEncoding":
		return winAnsi
	case named == "MacRomanEncoding":
		return macRoman
	case named == "" && (font == "Symbol" || strings.HasSuffix(font, "+Symbol")):
		return symbolic
	}
	return standard
}

// glyphNames are the glyph names (Adobe Glyph List) other than ASCII letters and accented ASCII
// letters.
var glyphNames = func() map[string]string {
	m := map[string]string{}
	for line := range strings.FieldsSeq(`space= nbspace= exclam=! quotedbl=" numbersign=# dollar=$ percent=% ` +
		`ampersand=& quotesingle=' quoteright=’ quoteleft=‘ parenleft=( parenright=)
asterisk=* plus=+ comma=, hyphen=- sfthyphen=- minus=− period=. slash=/ zero=0 one=1 two=2 three=3 four=4 ` +
		`five=5 six=6 seven=7 eight=8 nine=9 colon=: semicolon=;
less=< equal== greater=> question=? at=@ bracketleft=[ backslash=\ bracketright=] asciicircum=^ underscore=_ ` +
		`grave=` + "`" + ` braceleft={ bar=| braceright=} asciitilde=~
exclamdown=¡ cent=¢ sterling=£ currency=¤ yen=¥ brokenbar=¦ section=§ dieresis=¨ copyright=© ordfeminine=ª ` +
		`guillemotleft=« guillemotright=» logicalnot=¬ registered=®
macron=¯ degree=° plusminus=± twosuperior=² threesuperior=³ onesuperior=¹ acute=´ mu=µ paragraph=¶ ` +
		`periodcentered=· middot=· cedilla=¸ ordmasculine=º onequarter=¼
onehalf=½ threequarters=¾ questiondown=¿ AE=Æ ae=æ Eth=Ð eth=ð Oslash=Ø oslash=ø Thorn=Þ thorn=þ germandbls=ß ` +
		`multiply=× divide=÷ dotlessi=ı dotlessj=ȷ Lslash=Ł lslash=ł OE=Œ
oe=œ Dcroat=Đ dcroat=đ Hbar=Ħ hbar=ħ kra=ĸ Eng=Ŋ eng=ŋ longs=ſ florin=ƒ circumflex=ˆ caron=ˇ breve=˘ ` +
		`dotaccent=˙ ring=˚ ogonek=˛ tilde=˜ hungarumlaut=˝
endash=– emdash=— quotesinglbase=‚ quotedblleft=“ quotedblright=” quotedblbase=„ dagger=† daggerdbl=‡ ` +
		`bullet=• ellipsis=… perthousand=‰ guilsinglleft=‹ guilsinglright=›
fraction=⁄ Euro=€ euro=€ trademark=™ fi=fi fl=fl ff=ff ffi=ffi ffl=ffl f_i=fi f_l=fl f_f=ff Alpha=Α Beta=Β ` +
		`Gamma=Γ Delta=Δ Epsilon=Ε Zeta=Ζ Eta=Η Theta=Θ Iota=Ι Kappa=Κ
Lambda=Λ Mu=Μ Nu=Ν Xi=Ξ Omicron=Ο Pi=Π Rho=Ρ Sigma=Σ Tau=Τ Upsilon=Υ Phi=Φ Chi=Χ Psi=Ψ Omega=Ω alpha=α beta=β ` +
		`gamma=γ delta=δ epsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ
lambda=λ nu=ν xi=ξ omicron=ο pi=π rho=ρ sigma=σ sigma1=ς tau=τ upsilon=υ phi=φ chi=χ psi=ψ omega=ω infinity=∞ ` +
		`partialdiff=∂ summation=∑ product=∏ integral=∫ radical=√
approxequal=≈ notequal=≠ lessequal=≤ greaterequal=≥ lozenge=◊ arrowright=→ arrowleft=← arrowup=↑ arrowdown=↓ ` +
		`bulletmath=• minute=′ second=″ afii61352=№ numero=№`) {
		name, value, _ := strings.Cut(line, "=")
		if value == "" {
			value = " "
		}
		m[name] = value
	}
	for i, r := range []rune("АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ") { // afii10017 to afii10049
		m["afii"+strconv.Itoa(10017+i)] = string(r)
	}
	for i, r := range []rune("абвгдеёжзийклмнопрстуфхцчшщъыьэюя") { // afii10065 to afii10097
		m["afii"+strconv.Itoa(10065+i)] = string(r)
	}
	return m
}()

// accents are the name endings of accented letters, with their accents.
var accents = []struct {
	name string
	mark rune
}{
	{"acute", 0x301}, {"grave", 0x300}, {"circumflex", 0x302}, {"dieresis", 0x308}, {"tilde", 0x303}, {"ring", 0x30a},
	{"cedilla", 0x327}, {"caron", 0x30c},
	{"macron", 0x304}, {"breve", 0x306}, {"ogonek", 0x328}, {"dotaccent", 0x307}, {"hungarumlaut", 0x30b},
	{"commaaccent", 0x326},
}

// ofGlyph returns the text of a glyph by its name, or "" if the name is unknown.
func ofGlyph(s string) string {
	s, _, _ = strings.Cut(s, ".") // a variant: "a.sc"
	if len(s) == 1 {
		return s
	}
	if value, ok := glyphNames[s]; ok {
		return value
	}
	if strings.Contains(s, "_") { // a ligature: "f_f_i"
		var all strings.Builder
		for part := range strings.SplitSeq(s, "_") {
			all.WriteString(ofGlyph(part))
		}
		return all.String()
	}
	for _, a := range accents {
		if letter, ok := strings.CutSuffix(s, a.name); ok && len(letter) == 1 {
			return composed(letter, a.mark)
		}
	}
	digits, ok := strings.CutPrefix(s, "uni")
	if !ok || len(digits) < 4 {
		if digits, ok = strings.CutPrefix(s, "u"); !ok || len(digits) < 4 || len(digits) > 6 {
			return ""
		}
		return runeOf(digits)
	}
	var all strings.Builder
	for ; len(digits) >= 4 && all.Len() < 64; digits = digits[4:] {
		all.WriteString(runeOf(digits[:4]))
	}
	return all.String()
}

func runeOf(hexadecimal string) string {
	n, err := strconv.ParseUint(hexadecimal, 16, 32)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return ""
	}
	return string(rune(n))
}

// composed returns a letter with an accent, as one character if possible.
func composed(letter string, mark rune) string { return norm.NFC.String(letter + string(mark)) }
