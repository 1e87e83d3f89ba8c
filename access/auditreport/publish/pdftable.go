package publish

import "strings"

// pdfCell is a cell that is broken into lines for its column.
type pdfCell struct {
	cell
	lines []string
	links []int // of each line: an internal link, or 0
}

// cellGap is the space between columns in millimetres.
const cellGap = 3.0

// table draws a table. Its head is repeated on each page, and a long row may continue on the next.
func (p *painter) table(t *table) {
	widths := t.widths()
	p.caption(t.Caption, 16)
	p.head(t, widths)
	if len(t.Rows) == 0 {
		p.row(t, widths, []cell{{Text: "none"}})
	}
	for _, r := range t.Rows {
		p.row(t, widths, r)
	}
	if t.More != "" {
		p.SetY(p.GetY() + 1)
		p.font(sans, "", 7.5, dim)
		p.paragraph(t.More, margin, textWidth)
	}
}

// widths returns the widths of the columns.
func (t *table) widths() []float64 {
	all := 0.0
	for _, c := range t.Columns {
		all += c.Weight
	}
	widths := make([]float64, 0, len(t.Columns))
	for _, c := range t.Columns {
		widths = append(widths, textWidth*c.Weight/all)
	}
	return widths
}

// head draws the headings of the columns.
func (p *painter) head(t *table, widths []float64) {
	names := make([]cell, 0, len(t.Columns))
	for _, c := range t.Columns {
		names = append(names, cell{Text: c.Name})
	}
	p.font(sans, bold, tableSize, dim)
	cells, most := p.broken(widths, names)
	p.lines(t, widths, cells, 0, most)
	p.fill(edge, margin, p.GetY()+.4, textWidth, .2)
	p.SetY(p.GetY() + 1.2)
}

// row draws a row.
func (p *painter) row(t *table, widths []float64, r []cell) {
	p.font(sans, "", tableSize, ink)
	cells, most := p.broken(widths, r)
	h := leading(tableSize)
	for from := 0; from < most; {
		fits := int((bottom - p.GetY() - 1) / h)
		if fits < min(most-from, 3) || fits < most-from && most <= 30 {
			p.AddPage()
			p.head(t, widths)
			fits = int((bottom - p.GetY() - 1) / h)
		}
		to := min(from+fits, most)
		p.font(sans, "", tableSize, ink)
		p.lines(t, widths, cells, from, to)
		from = to
	}
	p.fill(line, margin, p.GetY()+.5, textWidth, .15)
	p.SetY(p.GetY() + 1.3)
}

// broken breaks the cells of a row into lines, and returns the largest number of lines.
func (p *painter) broken(widths []float64, r []cell) (cells []pdfCell, most int) {
	for i, c := range r {
		out := pdfCell{cell: c}
		width := widths[i] - cellGap
		if c.State != "" {
			width -= 3.6
		}
		for _, ref := range c.Refs {
			target := p.links[ref]
			if title, ok := sectionNames[ref]; ok {
				ref = title
			}
			for _, l := range p.SplitText(visible(ref), width) {
				out.lines, out.links = append(out.lines, l), append(out.links, target)
			}
		}
		if len(c.Refs) == 0 {
			if c.Code {
				p.SetFont(mono, "", tableSize-1)
			}
			out.lines = p.SplitText(visible(c.Text), width)
			if c.Code {
				p.SetFont(sans, "", tableSize)
			}
		}
		cells, most = append(cells, out), max(most, len(out.lines))
	}
	return cells, max(most, 1)
}

// lines draws some lines of all cells of a row, and moves below them.
func (p *painter) lines(t *table, widths []float64, cells []pdfCell, from, to int) {
	h := leading(tableSize)
	x, y := margin, p.GetY()
	for i := range cells {
		c := &cells[i]
		left := x
		switch {
		case c.State != "":
			tone := toneOf(c.State)
			if from == 0 {
				p.mark(tone, x, y+.55, 2.3)
			}
			left += 3.6
			p.font(sans, "", tableSize, toneText[tone])
		case c.Code:
			p.font(mono, "", tableSize-1, ink)
		}
		for n := from; n < min(to, len(c.lines)); n++ {
			at := left
			if t.Columns[i].Number {
				at = x + widths[i] - cellGap - p.GetStringWidth(strings.TrimSpace(c.lines[n]))
			}
			below := y + float64(n-from)*h
			p.Text(at, below+h*.74, strings.TrimSpace(c.lines[n]))
			if n < len(c.links) && c.links[n] != 0 {
				p.Link(at, below, p.GetStringWidth(c.lines[n]), h, c.links[n])
			}
		}
		if c.State != "" || c.Code {
			p.font(sans, "", tableSize, ink)
		}
		x += widths[i]
	}
	p.SetY(y + h*float64(to-from))
}
