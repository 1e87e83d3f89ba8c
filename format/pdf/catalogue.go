package pdf

import (
	"bytes"
	"math"
	"slices"
	"strconv"
)

// linearized finds the linearization dictionary, the first object of the file (annex F).
func (d *document) linearized() {
	b := d.bytes(0, min(d.size, 1024))
	l := &lexer{b: b}
	i := bytes.Index(b, []byte(" obj"))
	if i < 0 {
		return
	}
	begin, _, ok := numberBefore(b[:i+1])
	if !ok {
		return
	}
	l.at = begin
	o, _, err := l.indirect()
	parameters, ok := o.(dict)
	if err != nil || !ok || parameters["Linearized"] == nil {
		return
	}
	if length, _ := d.integer(parameters["L"]); length == d.size || length == d.size+d.begin {
		d.facts.Linearized = true
		return
	}
	d.facts.warn("it was linearized, but changed afterwards")
}

// catalogue reads the facts in the catalogue (7.7.2).
func (d *document) catalogue(root dict) {
	f := d.facts
	if v := d.name(root["Version"]); later(v, f.Version) {
		f.Version = v
	}
	f.Tagged, _ = d.follow(d.dict(root["MarkInfo"])["Marked"]).(bool)
	f.Language = d.text(root["Lang"])
	if form := d.dict(root["AcroForm"]); form != nil {
		f.Form = "AcroForm"
		if d.follow(form["XFA"]) != nil {
			f.Form = "XFA"
		}
	}
	pages := d.dict(root["Pages"])
	if n, ok := d.integer(pages["Count"]); ok && n >= 0 && n <= d.size {
		f.Pages = n
	} else {
		f.warn("the page tree does not state the number of pages")
	}
	f.PageSize = d.pageSize(pages)
	d.metadata(root["Metadata"])
}

// later reports whether version a is later than b: 1.7 than 1.4, 2.0 than 1.7.
func later(a, b string) bool {
	x, err := strconv.ParseFloat(a, 32)
	y, errOther := strconv.ParseFloat(b, 32)
	return err == nil && x < 10 && (errOther != nil || x > y)
}

// pageSize returns the size of the first page, from values inherited on the way to it (7.7.3.4).
func (d *document) pageSize(node dict) *Size {
	const deepest, tried = 50, 10
	inherited := dict{}
	for range deepest {
		for _, key := range []name{"MediaBox", "CropBox", "Rotate"} {
			if o := d.follow(node[key]); o != nil {
				inherited[key] = o
			}
		}
		kids := d.array(node["Kids"])
		if d.name(node["Type"]) == "Page" || kids == nil {
			return d.size1(inherited)
		}
		node = nil
		for _, kid := range kids[:min(len(kids), tried)] {
			if node = d.dict(kid); node != nil && (d.name(node["Type"]) != "Pages" || d.integerOf(node, "Count") != 0) {
				break
			}
		}
		if node == nil {
			return nil
		}
	}
	return nil
}

func (d *document) integerOf(o dict, key name) int64 {
	n, ok := d.integer(o[key])
	if !ok {
		return -1
	}
	return n
}

// size1 returns the size of a page: its crop box, clipped to the media box (14.11.2).
func (d *document) size1(page dict) *Size {
	media, ok := d.box(page["MediaBox"])
	if !ok {
		return nil
	}
	if crop, ok := d.box(page["CropBox"]); ok {
		cut := [4]float64{max(crop[0], media[0]), max(crop[1], media[1]), min(crop[2], media[2]),
			min(crop[3], media[3])}
		if cut[2] > cut[0] && cut[3] > cut[1] {
			media = cut
		}
	}
	s := &Size{Width: round(media[2] - media[0]), Height: round(media[3] - media[1])}
	if turned, ok := d.integer(page["Rotate"]); ok {
		s.Rotate = ((turned % 360) + 360) % 360
	}
	return s
}

func round(f float64) float64 { return math.Round(f*1e4) / 1e4 }

// box reads a rectangle, given by any two opposite corners (7.9.5).
func (d *document) box(o any) (b [4]float64, ok bool) {
	a := d.array(o)
	if len(a) != 4 {
		return b, false
	}
	for i := range b {
		if b[i], ok = d.float(a[i]); !ok {
			return b, false
		}
	}
	b[0], b[2] = min(b[0], b[2]), max(b[0], b[2])
	b[1], b[3] = min(b[1], b[3]), max(b[1], b[3])
	return b, b[2] > b[0] && b[3] > b[1]
}

// information reads the document information dictionary (14.3.3).
func (d *document) information() {
	info := d.dict(d.trailer["Info"])
	f := d.facts
	for key, to := range map[name]*string{
		"Title": &f.Title, "Author": &f.Author, "Subject": &f.Subject, "Keywords": &f.Keywords, "Creator": &f.Creator,
		"Producer": &f.Producer,
	} {
		*to = d.text(info[key])
	}
	f.Created, f.Modified = date(d.text(info["CreationDate"])), date(d.text(info["ModDate"]))
	for _, key := range []name{"GTS_PDFXVersion", "GTS_PDFXConformance"} {
		if v := d.text(info[key]); v != "" && !slices.Contains(f.Claims, v) {
			f.Claims = append(f.Claims, v)
			break
		}
	}
}
