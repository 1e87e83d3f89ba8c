package marc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ReadISO reads the next record, or returns io.EOF. It refuses records in MARC-8 (by their leader),
// unless they are pure ASCII.
func ReadISO(in io.Reader) (Record, error) {
	var head [leaderSize]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("marc: the leader breaks off: %w", err)
		}
		return Record{}, err
	}
	size, err := number(head[:5])
	if err != nil || size < leaderSize+2 {
		return Record{}, fmt.Errorf("marc: %.10q is no length of a record", head[:5])
	}
	record := make([]byte, size)
	copy(record, head[:])
	if _, err := io.ReadFull(in, record[leaderSize:]); err != nil {
		return Record{}, fmt.Errorf("marc: the record breaks off: %w", err)
	}
	if record[size-1] != endOfRecord {
		return Record{}, errors.New("marc: the record does not end where its leader says")
	}
	return parse(record)
}

func parse(record []byte) (Record, error) {
	var r Record
	head := record[:leaderSize]
	base, err := number(head[12:17])
	if err != nil || base <= leaderSize || base >= len(record) || (base-leaderSize-1)%entrySize != 0 ||
		record[base-1] != endOfField {
		return r, fmt.Errorf("marc: the directory does not end where the leader says: %.10q", head[12:17])
	}
	leader := []byte(string(head))
	copy(leader, "     ") // recomputed for writing
	copy(leader[12:17], "     ")
	r.Leader = Leader(leader)
	for entry := leaderSize; entry < base-1; entry += entrySize {
		if err := r.parseField(record[base:len(record)-1], record[entry:entry+entrySize],
			leader[9] == unicodeMark); err != nil {
			return r, err
		}
	}
	return r, r.Check()
}

// parseField parses the field of a directory entry; data is everything after the directory.
func (r *Record) parseField(data, entry []byte, unicode bool) error {
	tag := string(entry[:3])
	length, err1 := number(entry[3:7])
	start, err2 := number(entry[7:])
	if err1 != nil || err2 != nil || length == 0 || start+length > len(data) || data[start+length-1] != endOfField {
		return fmt.Errorf("marc: field %.3q does not lie where the directory says: %q", tag, entry)
	}
	field := data[start : start+length-1]
	for _, c := range field {
		if c >= utf8.RuneSelf && !unicode {
			return fmt.Errorf("marc: field %s is in MARC-8, which is not read", tag)
		}
	}
	if !utf8.Valid(field) || bytes.IndexByte(field, endOfRecord) >= 0 || bytes.IndexByte(field, endOfField) >= 0 {
		return fmt.Errorf("marc: field %s has invalid content", tag)
	}
	if strings.HasPrefix(tag, "00") {
		if bytes.IndexByte(field, delimiter) >= 0 {
			return fmt.Errorf("marc: control field %s has subfields", tag)
		}
		r.Controls = append(r.Controls, Control{tag, string(field)})
		return nil
	}
	if len(field) < 2 || len(field) > 2 && field[2] != delimiter {
		return fmt.Errorf("marc: field %s has no indicators", tag)
	}
	f := Field{Tag: tag, Ind1: field[0], Ind2: field[1]}
	for part := range bytes.SplitSeq(field[2:], []byte{delimiter}) {
		if len(part) > 0 {
			f.Subfields = append(f.Subfields, Subfield{part[0], string(part[1:])})
		}
	}
	r.Fields = append(r.Fields, f)
	return nil
}

func number(digits []byte) (int, error) {
	for _, c := range digits {
		if !isDigit(c) {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.Atoi(string(digits))
}
