package warc

// ParseFields reads a block of type application/warc-fields (ISO 28500:2017, 6.2 and Annex B). It
// returns the fields of a warcinfo or metadata record, in order. Lines that are not fields are
// omitted.
func ParseFields(block []byte) []NameValue {
	var h Header
	h.parse(append([]byte("\r\n"), block...)) // parse passes over the version line
	fields := make([]NameValue, 0, len(h.fields))
	for _, f := range h.fields {
		fields = append(fields, NameValue{string(f.Name), unfold(f.Value)})
	}
	return fields
}
