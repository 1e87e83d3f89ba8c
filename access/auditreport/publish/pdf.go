package publish

import (
	"fmt"
	"io"
	"strings"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"quire/access/auditreport"
	"quire/internal/humanize"
)

// Measures of a page in millimetres, and of text in points.
const (
	margin     = 15.0
	pageWidth  = 210.0
	pageHeight = 297.0
	bottom     = pageHeight - 18
	textWidth  = pageWidth - 2*margin
	bodySize   = 9.5
	tableSize  = 7.2
)

// The fonts. They cover Latin, Greek and Cyrillic.
const (
	sans = "Go"
	mono = "Go Mono"
	bold = "B"
)

type color [3]int

// The colours of the page in HTML.
var (
	ink, dim, line  = color{0x1f, 0x1d, 0x19}, color{0x5a, 0x55, 0x4a}, color{0xd9, 0xd4, 0xc7}
	accent, soft    = color{0x17, 0x57, 0x4b}, color{0xf1, 0xee, 0xe6}
	warnInk, badInk = color{0x7a, 0x4a, 0x00}, color{0x8d, 0x1f, 0x1f}
	edge            = color{0x8a, 0x84, 0x74}
	toneInk         = map[tone]color{toneMain: accent, toneGood: accent, toneWarn: warnInk, toneBad: badInk,
		toneOff: edge, toneCold: {0x84, 0xb3, 0xa8}}
	toneText  = map[tone]color{toneGood: accent, toneWarn: warnInk, toneBad: badInk, toneOff: dim}
	toneSheet = map[tone]color{toneGood: {0xe4, 0xef, 0xeb}, toneWarn: {0xfb, 0xf1, 0xdc}, toneBad: {0xfa,
		0xe9, 0xe6},
		toneOff: soft}
)

// painter draws a document on pages.
type painter struct {
	*fpdf.Fpdf
	links map[string]int // by id of a section
}

// pdf writes the report as PDF. It is neither PDF/A nor tagged.
func pdf(w io.Writer, r *auditreport.Report, d *document) error {
	p := &painter{fpdf.New("P", "mm", "A4", ""), map[string]int{}}
	p.AddUTF8FontFromBytes(sans, "", goregular.TTF)
	p.AddUTF8FontFromBytes(sans, bold, gobold.TTF)
	p.AddUTF8FontFromBytes(mono, "", gomono.TTF)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, 0)
	p.SetCatalogSort(true)
	p.SetCreationDate(r.Made)
	p.SetModificationDate(r.Made)
	p.SetTitle(d.Title+orWord(visible(d.Subtitle), "", ", "), true)
	p.SetCreator(r.Software, true)
	p.SetLang("en")
	p.AliasNbPages("{pages}")
	p.SetFooterFunc(func() {
		p.font(sans, "", 7.5, dim)
		p.Text(margin, pageHeight-10, d.Title+" "+r.Repository)
		page := fmt.Sprintf("%d of {pages}", p.PageNo())
		p.Text(pageWidth-margin-14, pageHeight-10, page)
	})
	for _, s := range d.Sections {
		p.links["#"+s.ID] = p.AddLink()
	}
	p.AddPage()
	p.front(d)
	for i := range d.Sections {
		p.section(&d.Sections[i])
	}
	return p.Output(w)
}

// visible returns text that the fonts can show: without control characters, and without characters
// beyond the first plane of Unicode, which the library cannot write.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r > 0xffff {
			return '\ufffd'
		}
		return r
	}, humanize.Visible(s))
}

func (p *painter) font(family, style string, size float64, c color) {
	p.SetFont(family, style, size)
	p.SetTextColor(c[0], c[1], c[2])
}

func (p *painter) fill(c color, x, y, w, h float64) {
	p.SetFillColor(c[0], c[1], c[2])
	p.Rect(x, y, w, h, "F")
}

// room begins a new page if less than height is left.
func (p *painter) room(height float64) {
	if p.GetY()+height > bottom {
		p.AddPage()
	}
}

// leading returns the height of a line of a font size in points.
func leading(size float64) float64 { return size * 0.3528 * 1.42 }

// paragraph writes text in a column, and moves below it.
func (p *painter) paragraph(text string, x, width float64) {
	size, _ := p.GetFontSize()
	h := leading(size)
	for _, l := range p.SplitText(visible(text), width) {
		p.room(h)
		p.Text(x, p.GetY()+h*.75, l)
		p.SetY(p.GetY() + h)
	}
}

// front is the head of the first page.
func (p *painter) front(d *document) {
	p.fill(accent, 0, 0, pageWidth, 4)
	p.SetY(margin + 2)
	p.font(sans, bold, 8.5, accent)
	p.paragraph("Quire · report for an auditor", margin, textWidth)
	p.font(sans, bold, 22, ink)
	p.paragraph(d.Title, margin, textWidth)
	if d.Subtitle != "" {
		p.font(sans, "", 13, ink)
		p.paragraph(d.Subtitle, margin, textWidth)
	}
	p.SetY(p.GetY() + 3)
	for _, f := range d.Facts {
		y := p.GetY()
		p.font(sans, "", bodySize, dim)
		p.Text(margin, y+leading(bodySize)*.75, f.Name)
		p.font(sans, "", bodySize, ink)
		p.paragraph(f.Value, margin+32, textWidth-32)
	}
	p.SetY(p.GetY() + 3)
	p.font(sans, "", bodySize, ink)
	for _, l := range d.Lead {
		p.paragraph(l, margin, textWidth)
		p.SetY(p.GetY() + 1)
	}
}

func (p *painter) section(s *section) {
	p.room(45)
	y := p.GetY() + 6
	p.fill(ink, margin, y, textWidth, .5)
	p.SetY(y + 2.5)
	p.SetLink(p.links["#"+s.ID], y, -1)
	p.Bookmark(s.Title, 0, y)
	p.font(sans, bold, 13.5, ink)
	p.paragraph(s.Title, margin, textWidth)
	p.SetY(p.GetY() + 1.5)
	for i := range s.Blocks {
		p.block(&s.Blocks[i])
	}
}

func (p *painter) block(b *block) {
	switch {
	case b.Figures != nil:
		p.figures(b.Figures)
	case b.Table != nil:
		p.table(b.Table)
	case b.Bars != nil:
		p.bars(b.Bars)
	case b.Matrix != nil:
		p.matrix(b.Matrix)
	case b.Warn:
		p.notice(b.Text)
	default:
		p.font(sans, "", bodySize, ink)
		p.paragraph(b.Text, margin, textWidth)
	}
	p.SetY(p.GetY() + 2.5)
}

// notice writes a text in a box.
func (p *painter) notice(text string) {
	p.font(sans, "", bodySize, ink)
	h := leading(bodySize) * float64(len(p.SplitText(visible(text), textWidth-8)))
	p.room(h + 4)
	y := p.GetY()
	p.fill(toneSheet[toneWarn], margin, y, textWidth, h+4)
	p.fill(warnInk, margin, y, 1, h+4)
	p.SetY(y + 2)
	p.paragraph(text, margin+5, textWidth-8)
	p.SetY(y + h + 4)
}

// figures writes values with their names below, four in a row.
func (p *painter) figures(all []fact) {
	const columns, height = 4, 12.0
	width := textWidth / columns
	for i, f := range all {
		if i%columns == 0 {
			if i > 0 {
				p.SetY(p.GetY() + height)
			}
			p.room(height)
		}
		x, y := margin+float64(i%columns)*width, p.GetY()
		p.font(sans, "", 14, ink)
		p.Text(x, y+5, visible(f.Value))
		p.font(sans, "", 7.5, dim)
		p.Text(x, y+9, visible(f.Name))
	}
	p.SetY(p.GetY() + height)
}

func (p *painter) caption(text string, with float64) {
	p.font(sans, "", 8, dim)
	p.room(leading(8) + with)
	p.paragraph(text, margin, textWidth)
	p.SetY(p.GetY() + .8)
}

// bars draws horizontal bars between their names and values.
func (p *painter) bars(b *bars) {
	const height, nameWidth, barWidth = 6.0, 42.0, 78.0
	p.caption(b.Caption, 2*height)
	if len(b.Parts) > 1 {
		x, y := margin, p.GetY()
		for i, part := range b.Parts {
			p.fill(toneInk[b.Tones[i]], x, y+.6, 3, 2.6)
			p.font(sans, "", 7.5, dim)
			p.Text(x+4.2, y+3, part)
			x += 8 + p.GetStringWidth(part) + 4
		}
		p.SetY(y + 5)
	}
	for _, item := range b.Items {
		p.room(height)
		y := p.GetY()
		p.font(sans, "", 8, ink)
		p.Text(margin, y+3.8, p.clip(item.Name, nameWidth-2))
		x := margin + nameWidth
		p.fill(soft, x, y+.6, barWidth, 4.2)
		for i, v := range item.Parts {
			p.fill(toneInk[b.Tones[i]], x, y+.6, barWidth*v, 4.2)
			x += barWidth * v
		}
		p.font(sans, "", 8, dim)
		p.Text(margin+nameWidth+barWidth+3, y+3.8, p.clip(item.Value, textWidth-nameWidth-barWidth-3))
		p.SetY(y + height)
	}
}

// clip shortens a text to one line.
func (p *painter) clip(text string, width float64) string {
	lines := p.SplitText(visible(text), width)
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return lines[0]
	}
	return strings.TrimRight(lines[0], " ") + "…"
}

// matrix draws the states of levels as coloured cells with marks and words.
func (p *painter) matrix(m *matrix) {
	const height, nameWidth, resultWidth = 9.0, 26.0, 26.0
	p.caption(m.Caption, height*float64(len(m.Rows)+1))
	width := (textWidth - nameWidth - resultWidth) / float64(max(len(m.Levels), 1))
	y := p.GetY()
	p.font(sans, bold, 8, dim)
	for i, l := range m.Levels {
		p.Text(margin+nameWidth+float64(i)*width+2, y+3.5, l)
	}
	p.SetY(y + 5)
	for _, row := range m.Rows {
		p.room(height)
		y := p.GetY()
		p.font(sans, bold, 8.5, ink)
		p.Text(margin, y+5.2, row.Name)
		for i, s := range row.States {
			x := margin + nameWidth + float64(i)*width
			t := toneOf(s)
			p.fill(toneSheet[t], x, y+.5, width-1, height-1)
			p.mark(t, x+2, y+2.9, 2.6)
			p.font(sans, "", 7.5, toneText[t])
			p.Text(x+6, y+5.2, words[s])
		}
		p.font(sans, "", 8, ink)
		p.Text(margin+textWidth-resultWidth+2, y+5.2, row.Result)
		p.SetY(y + height)
	}
}

// mark draws the sign of a tone into a square.
func (p *painter) mark(t tone, x, y, size float64) {
	c := toneText[t]
	p.SetDrawColor(c[0], c[1], c[2])
	p.SetLineWidth(.45)
	p.SetLineCapStyle("round")
	at := func(u, v float64) (float64, float64) { return x + u*size, y + v*size }
	stroke := func(u, v, u2, v2 float64) {
		a, b := at(u, v)
		c, d := at(u2, v2)
		p.Line(a, b, c, d)
	}
	switch t {
	case toneGood:
		stroke(.1, .55, .38, .85)
		stroke(.38, .85, .95, .15)
	case toneWarn:
		stroke(.1, .5, .9, .5)
	case toneBad:
		stroke(.15, .15, .85, .85)
		stroke(.85, .15, .15, .85)
	default:
		a, b := at(.5, .5)
		p.Circle(a, b, .38*size, "D")
	}
}
