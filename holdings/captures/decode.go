package captures

import (
	"encoding/json"
	"unicode/utf8"
)

// Objects of lines have a fast decoder, ten times as fast as encoding/json, for exactly the form
// that encodeLine writes: members in that order, no escapes, no spaces. All other valid JSON is
// left to encoding/json, so both read the same.

// unmarshal decodes the object of a captures line.
func (w *written) unmarshal(object []byte) error {
	s := scanner{rest: object}
	if s.written(w); s.ended() {
		return nil
	}
	*w = written{}
	return json.Unmarshal(object, w)
}

// unmarshal decodes the object of a payloads line.
func (o *original) unmarshal(object []byte) error {
	s := scanner{rest: object}
	kept := o.timestamp // it precedes the object
	if s.original(o); s.ended() {
		return nil
	}
	*o = original{timestamp: kept}
	return json.Unmarshal(object, o)
}

// scanner reads an object, member by member.
type scanner struct {
	rest  []byte
	other bool // the form differs from ours
}

func (s *scanner) written(w *written) {
	w.In = s.number(`{"in":`)
	w.Order = s.number(`,"order":`)
	w.Type = s.text(`,"type":"`)
	w.Status = int(s.number(`,"status":`))
	w.MIME = s.textIfAny(`,"mime":"`)
	w.URL = s.text(`,"url":"`)
	w.Method = s.textIfAny(`,"method":"`)
	w.Digest = s.textIfAny(`,"digest":"`)
	w.Redirect = s.textIfAny(`,"redirect":"`)
	w.Size = s.number(`,"size":`)
	w.Truncated = s.has(`,"truncated":true`)
	w.Why = s.textIfAny(`,"why":"`)
	w.ID = s.textIfAny(`,"id":"`)
	w.Date = s.textIfAny(`,"date":"`)
	w.Coding = s.textIfAny(`,"coding":"`)
	w.Chunked = s.has(`,"chunked":true`)
	w.Flaw = Flaw(s.textIfAny(`,"flaw":"`))
	w.SHA1 = s.textIfAny(`,"sha1":"`)
	w.Payload = s.textIfAny(`,"payload":"`)
	if s.follows(`,"record":`) {
		w.Record = s.number(`,"record":`)
	}
	w.Refers = s.textIfAny(`,"refers":"`)
	if s.has(`,"original":`) {
		w.Original = &original{}
		s.original(w.Original)
	}
	s.place(&w.place)
}

func (s *scanner) original(o *original) {
	o.In = s.number(`{"in":`)
	o.Order = s.number(`,"order":`)
	if s.follows(`,"status":`) {
		o.Status = int(s.number(`,"status":`))
	}
	o.MIME = s.textIfAny(`,"mime":"`)
	o.URL = s.text(`,"url":"`)
	o.Size = s.number(`,"size":`)
	s.place(&o.place)
}

// place reads the final members, common to all objects.
func (s *scanner) place(p *place) {
	p.Offset = s.number(`,"offset":`)
	p.Length = s.number(`,"length":`)
	p.Inflated = s.number(`,"inflated":`)
	p.Head = s.number(`,"head":`)
	p.Body = s.number(`,"body":`)
	p.SHA256 = s.textIfAny(`,"sha256":"`)
	p.Viral = s.has(`,"viral":true`)
	s.expect("}")
}

// ended reports whether the object has our form up to the line break.
func (s *scanner) ended() bool { return !s.other && (len(s.rest) == 0 || string(s.rest) == "\n") }

func (s *scanner) follows(text string) bool {
	return len(s.rest) >= len(text) && string(s.rest[:len(text)]) == text
}

// has skips a text, if it comes next.
func (s *scanner) has(text string) bool {
	if !s.follows(text) {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

func (s *scanner) expect(text string) {
	if !s.has(text) {
		s.other = true
	}
}

// number reads an integer of up to 18 digits after its name.
func (s *scanner) number(name string) (n int64) {
	s.expect(name)
	negative := s.has("-")
	i := 0
	for ; i < len(s.rest) && i < 18 && s.rest[i] >= '0' && s.rest[i] <= '9'; i++ {
		n = n*10 + int64(s.rest[i]-'0')
	}
	if i == 0 || i > 1 && s.rest[0] == '0' {
		s.other = true
	}
	s.rest = s.rest[i:] // a further digit stops the fast decoder
	if negative {
		return -n
	}
	return n
}

// text reads a string without escapes after its name and quotation mark.
func (s *scanner) text(name string) string {
	s.expect(name)
	plain := true // ASCII
	for i, c := range s.rest {
		switch {
		case c == '"':
			text := string(s.rest[:i])
			s.other = s.other || !plain && !utf8.ValidString(text)
			s.rest = s.rest[i+1:]
			return text
		case c == '\\' || c < ' ':
			s.other = true
			return ""
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	s.other = true
	return ""
}

// textIfAny reads a string that is omitted if empty.
func (s *scanner) textIfAny(name string) string {
	if !s.follows(name) {
		return ""
	}
	return s.text(name)
}
