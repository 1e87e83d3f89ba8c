package office

import "quire/format/compound"

// Records of a PowerPoint document ([MS-PPT] 2.13.24).
const (
	pptMaster  = 0x03f8 // a main master: "Click to edit"
	pptChars   = 0x0fa0 // text of two bytes a character
	pptBytes   = 0x0fa8 // text of one byte a character: the low bytes
	pptCrypt   = 0x2f14
	pptNesting = 0x0f // in the low bits of the version: the record contains records
)

// powerPoint reads the texts of slides and notes, in the order of the file. A text that is both in
// the outline and on the slide is returned once.
func (r *reader) powerPoint(_ *compound.File, b []byte) error {
	told := map[string]bool{}
	for at := 0; at+8 <= len(b) && r.room > 0; {
		version, kind, size := u16(b, at), u16(b, at+2), int64(u32(b, at+4))
		at += 8
		end := int(min(int64(at)+size, int64(len(b))))
		switch {
		case kind == pptCrypt:
			return errEncrypted
		case kind == pptMaster:
			at = end
			continue
		case version&0x0f == pptNesting:
			continue // its content follows
		}
		text := ""
		switch kind {
		case pptChars:
			text = wide(b[at:end])
		case pptBytes:
			runes := make([]rune, 0, end-at)
			for _, c := range b[at:end] {
				runes = append(runes, rune(c))
			}
			text = string(runes)
		}
		if text != "" && !told[text] {
			told[text] = true
			r.wordText(text) // paragraphs end as in Word
		}
		at = end
	}
	return nil
}
