package thumbnail

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"quire/format/charset"
)

// The limits of a drawing.
const (
	maxDrawing  = 2 << 20   // bytes of the payload
	maxKeptSVG  = 512 << 10 // bytes of the copy
	maxElements = 10_000
	maxNesting  = 64
	maxUses     = 100    // elements that repeat another one
	maxDrawn    = 50_000 // elements, with those that are repeated, and those of clips
	leastDash   = 0.1    // pixels, the mean of a dash and the gaps: a line of smaller ones costs much
	maxLength   = 1e6    // pixels
)

const svgSpace = "http://www.w3.org/2000/svg"

// IsDrawn reports whether a thumbnail is SVG.
func IsDrawn(thumbnail []byte) bool { return bytes.HasPrefix(thumbnail, []byte("<svg ")) }

// isSVG reports whether bytes may be an SVG drawing: an element svg, or its name with a prefix, is among the first
// 4 KiB. Pages pass, too; [rootOf] decides.
func isSVG(b []byte) bool {
	return bytes.Contains(b[:min(len(b), 4<<10)], []byte("<svg")) ||
		bytes.Contains(b[:min(len(b), 4<<10)], []byte(":svg"))
}

// sizeOfSVG returns the dimensions of a drawing in pixels: its width and height, or those of its view box.
func sizeOfSVG(payload []byte) (width, height int, err error) {
	root, err := rootOf(decoderOf(payload))
	if err != nil {
		return 0, 0, err
	}
	_, w, h, err := dimensions(root)
	return int(math.Ceil(w)), int(math.Ceil(h)), err
}

// decoderOf returns the tokens of a drawing. The decoder expands no entities but those of XML and HTML, which are one
// character each.
func decoderOf(payload []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(payload[:min(len(payload), maxDrawing)]))
	d.Strict = false // drawings of Illustrator name namespaces by entities, which stay as written
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		all, err := io.ReadAll(io.LimitReader(in, maxDrawing))
		name := charset.Resolve(label)
		if err != nil || name == "" {
			return nil, fmt.Errorf("unknown encoding %q: %w", label, err)
		}
		return bytes.NewReader(charset.DecodeLossy(all, name)), nil
	}
	return d
}

// rootOf reads as far as the svg element.
func rootOf(d *xml.Decoder) (*xml.StartElement, error) {
	for {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNone, err)
		}
		if start, ok := token.(xml.StartElement); ok {
			if start.Name.Local != "svg" || !ours(start.Name.Space) {
				return nil, fmt.Errorf("%w: the root is %s", ErrNone, start.Name.Local)
			}
			return &start, nil
		}
	}
}

// ours reports whether a namespace is that of SVG, perhaps by an entity.
func ours(space string) bool { return space == svgSpace || space == "" || space == "&ns_svg;" }

// dimensions returns the view box of a drawing, and its dimensions in pixels.
func dimensions(root *xml.StartElement) (box [4]float64, width, height float64, err error) {
	viewed := false
	for _, a := range root.Attr {
		switch a.Name.Local {
		case "width":
			width = pixels(a.Value)
		case "height":
			height = pixels(a.Value)
		case "viewBox":
			parts := strings.FieldsFunc(a.Value, func(r rune) bool { return r == ',' || r <= ' ' })
			viewed = len(parts) == len(box)
			for i := range box {
				if viewed {
					box[i], err = strconv.ParseFloat(parts[i], 64)
					viewed = err == nil && math.Abs(box[i]) <= maxLength
				}
			}
			viewed = viewed && box[2] > 0 && box[3] > 0
		}
	}
	const standardWidth, standardHeight = 300, 150 // CSS, for replaced elements without dimensions
	switch {
	case !viewed && width == 0 && height == 0:
		width, height = standardWidth, standardHeight
	case width == 0 && height == 0:
		width, height = box[2], box[3]
	case viewed && width == 0:
		width = height * box[2] / box[3]
	case viewed && height == 0:
		height = width * box[3] / box[2]
	}
	if !viewed {
		box = [4]float64{0, 0, width, height}
	}
	if !(width > 0 && height > 0 && width <= maxLength && height <= maxLength) {
		return box, 0, 0, fmt.Errorf("%w: a drawing of %g x %g pixels", ErrNone, width, height)
	}
	return box, width, height, nil
}

// pixels returns a length of CSS in pixels; 0 if it depends on its surroundings.
func pixels(s string) float64 {
	s = strings.ToLower(strings.TrimSpace(s))
	factor := 1.0
	for unit, f := range map[string]float64{"px": 1, "pt": 4.0 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54,
		"in": 96} {
		if rest, has := strings.CutSuffix(s, unit); has {
			s, factor = rest, f
			break
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0
	}
	return n * factor
}

// shrinkSVG returns a copy of a drawing, at most 240 x 240 pixels, that a browser can show without danger: with shapes,
// texts and colours, and without scripts, events, animations, filters, pictures and addresses.
func shrinkSVG(payload []byte) ([]byte, error) {
	if len(payload) > maxDrawing {
		return nil, fmt.Errorf("%w: a drawing of %d bytes", ErrNone, len(payload))
	}
	d := decoderOf(payload)
	root, err := rootOf(d)
	if err != nil {
		return nil, err
	}
	box, width, height, err := dimensions(root)
	if err != nil {
		return nil, err
	}
	if longer := max(width, height); longer > side {
		width, height = max(1, width*side/longer), max(1, height*side/longer)
	}
	c := &cleaned{}
	fmt.Fprintf(&c.out, `<svg xmlns="%s" width="%g" height="%g" viewBox="%g %g %g %g"`, svgSpace, width, height, box[0],
		box[1], box[2], box[3])
	c.cost.element()
	c.attributes("svg", root.Attr)
	c.out.WriteByte('>')
	c.open = []element{{name: "svg"}}
	if err := c.all(d); err != nil {
		return nil, err
	}
	if err := c.cost.check(); err != nil {
		return nil, err
	}
	return c.out.Bytes(), nil
}

// element is an open element of a drawing.
type element struct {
	name   string
	named  bool // it, or one around it, has an identifier: others may repeat it
	choice bool // a switch: one of its children is drawn
	chosen bool // that child is there
	id     string
	begin  int // its number
}

// cleaned is the copy of a drawing.
type cleaned struct {
	out   bytes.Buffer
	open  []element
	uses  int
	style strings.Builder
	cost  cost
}

// all copies the elements below the root.
func (c *cleaned) all(d *xml.Decoder) error {
	for len(c.open) > 0 {
		token, err := d.Token()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNone, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			err = c.start(d, &t)
		case xml.EndElement:
			c.end()
		case xml.CharData:
			c.text(t)
		}
		if err != nil {
			return fmt.Errorf("%w: a drawing that cannot be copied: %w", ErrNone, err)
		}
		if c.out.Len() > maxKeptSVG {
			return fmt.Errorf("%w: a drawing whose copy has more than %d bytes", ErrNone, maxKeptSVG)
		}
	}
	return nil
}

var errTooMany = errors.New("too many elements, or nested too deep")

// start copies an element, or skips it with all that is in it.
func (c *cleaned) start(d *xml.Decoder, t *xml.StartElement) error {
	name := t.Name.Local
	choice := name == "switch"
	if name == "a" || choice {
		name = "g"
	}
	around := &c.open[len(c.open)-1]
	if !ours(t.Name.Space) || !keptElements[name] || around.name == "style" || name == "use" && around.named ||
		around.choice && around.chosen || has(t.Attr, "requiredExtensions") {
		return c.skip(d)
	}
	around.chosen = true
	if len(c.cost.clips) > maxElements || len(c.open) == maxNesting {
		return errTooMany
	}
	if name == "use" {
		if c.uses++; c.uses > maxUses {
			return errTooMany
		}
	}
	e := element{name: name, named: around.named, choice: choice, begin: len(c.cost.clips)}
	e.named = e.named || has(t.Attr, "id")
	c.cost.element()
	c.open = append(c.open, e)
	c.out.WriteString("<" + name)
	c.attributes(name, t.Attr)
	c.out.WriteByte('>')
	return nil
}

func has(all []xml.Attr, name string) bool {
	return slices.ContainsFunc(all, func(a xml.Attr) bool { return a.Name.Local == name })
}

// skip reads as far as the end of the element.
func (c *cleaned) skip(d *xml.Decoder) error {
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			if depth++; depth > maxNesting {
				return errTooMany
			}
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// end closes an element.
func (c *cleaned) end() {
	last := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	if last.name == "style" {
		_ = xml.EscapeText(&c.out, []byte(harmlessSheet(c.style.String()))) // memory takes all
		c.style.Reset()
	}
	c.cost.named(last.id, last.begin)
	c.out.WriteString("</" + last.name + ">")
}

// text copies text, where text is drawn.
func (c *cleaned) text(b []byte) {
	switch c.open[len(c.open)-1].name {
	case "text", "tspan":
		_ = xml.EscapeText(&c.out, b) // memory takes all
	case "style":
		c.style.Write(b[:min(len(b), maxKeptSVG)])
	}
}

// counts notes what an attribute of the innermost element names. It reports false if that cannot be known.
func (c *cleaned) counts(in, name, value string) bool {
	switch {
	case name == "id" && len(c.open) > 0:
		c.open[len(c.open)-1].id = value
	case name == "clip-path":
		return c.cost.clip(value)
	case name == "href" && in == "use":
		return c.cost.use(value)
	}
	return true
}

// attributes copies the attributes that draw.
func (c *cleaned) attributes(in string, all []xml.Attr) {
	seen := map[string]bool{}
	for _, a := range all {
		name, value := a.Name.Local, a.Value
		switch {
		case seen[name], !keptAttributes[name], in == "use" && name == "id",
			name != "style" && !harmless(value),
			len(c.open) == 0 && onRoot[name],
			a.Name.Space != "" && name != "href" && name != "space":
			continue
		case name == "href" && !strings.HasPrefix(value, "#"):
			continue
		case name == "clip-path" && slices.ContainsFunc(c.open, func(e element) bool { return e.name == "clipPath" }):
			continue // clips of clips multiply
		case name == "stroke-dasharray" && !cheapDashes(value), !c.counts(in, name, value):
			continue
		}
		if name == "style" {
			value = harmlessStyle(value)
		}
		seen[name] = true
		c.out.WriteString(" " + name + `="`)
		_ = xml.EscapeText(&c.out, []byte(value)) // memory takes all
		c.out.WriteByte('"')
	}
}

// onRoot are the attributes that the root of the copy has of its own. Its identifier would let a part repeat the whole.
var onRoot = names(`id width height viewBox`)

func names(all string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(all) {
		set[name] = true
	}
	return set
}

// keptElements draw shapes, texts and colours. Patterns, masks, markers and filters are not among them: they can repeat
// each other without end.
var keptElements = names(`svg g defs symbol use path rect circle ellipse line polyline polygon text tspan style
	linearGradient radialGradient stop clipPath`)

var keptAttributes = names(`id class style transform d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height points
	viewBox preserveAspectRatio href offset gradientUnits gradientTransform spreadMethod clipPathUnits clip-path
	clip-rule fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
	stroke-miterlimit
	stroke-dasharray stroke-dashoffset stop-color stop-opacity opacity color display visibility vector-effect
	paint-order
	font-family font-size font-style font-weight text-anchor letter-spacing word-spacing dominant-baseline rotate
	textLength lengthAdjust`)
