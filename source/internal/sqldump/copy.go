package sqldump

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// copy reads COPY table (columns) FROM stdin, up to the first line of data.
func (r *Reader) copy(at int64) {
	r.space()
	in := insert{table: r.path(), copying: true}
	if r.peek(0) == '(' {
		in.columns = r.names()
	} else {
		in.columns = r.columns[in.table]
	}
	r.space()
	if !strings.EqualFold(r.word(), "from") {
		r.finish()
		return
	}
	r.space()
	if !strings.EqualFold(r.word(), "stdin") {
		r.finish()
		return
	}
	var options []byte
	for c := r.next(); c != '\n' && c != end; c = r.next() {
		if len(options) < maxName {
			options = append(options, byte(c))
		}
	}
	if o := strings.Trim(string(options), " \t\r;"); o != "" {
		r.fault(FaultStatement, at, "the rows of %s do not have the form of pg_dump: %q", in.table, o)
		for r.peek(0) != end {
			if line, _ := r.dataLine(false); line == `\.` {
				return
			}
		}
		return
	}
	r.current = &in
}

// copied reads a line of data: values between tabs, \N for NULL, and \. after the last line.
func (r *Reader) copied() *Row {
	in, at := r.current, r.offset
	if r.peek(0) == end {
		r.current = nil
		r.fault(FaultTorn, at, "the dump ends within the rows of %s", in.table)
		return nil
	}
	wanted := r.Want == nil || r.Want(in.table)
	number := r.line
	line, cut := r.dataLine(wanted)
	if line == `\.` {
		r.current = nil
		return nil
	}
	r.numbers[in.table]++
	if !wanted {
		return nil
	}
	if cut {
		r.fault(FaultLarge, at, "a row of %s exceeds the limit", in.table)
	}
	row := &Row{Table: in.table, Columns: in.columns, Number: r.numbers[in.table], Line: number, Offset: at}
	for field := range strings.SplitSeq(line, "\t") {
		if len(row.Values) == maxColumns {
			break
		}
		row.Values = append(row.Values, copiedValue(field))
	}
	return r.given(row)
}

// dataLine reads a line, and cuts it at the maximum row length. Of an unwanted line it reads only
// the beginning.
func (r *Reader) dataLine(wanted bool) (line string, cut bool) {
	most := 2
	if wanted {
		most = maxRow
	}
	var b []byte
	for {
		part, err := r.in.ReadSlice('\n')
		r.offset += int64(len(part))
		if room := min(most+1-len(b), len(part)); room > 0 {
			b = append(b, part[:room]...)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if !errors.Is(err, io.EOF) {
				r.err = err
			}
			break
		}
	}
	r.line++
	r.fresh = true
	text := strings.TrimRight(string(b), "\r\n")
	return text, wanted && len(text) > most
}

// copiedValue removes the escapes of one value.
func copiedValue(field string) Value {
	if field == `\N` {
		return Value{Null: true}
	}
	if strings.IndexByte(field, '\\') < 0 {
		return short(field)
	}
	s := newScanner(strings.NewReader(field))
	var b []byte
	for c := s.next(); c != end; c = s.next() {
		if c == '\\' {
			if s.peek(0) == 'v' {
				s.next()
				b = append(b, '\v')
				continue
			}
			s.escape(postgres, func(c byte) { b = append(b, c) })
			continue
		}
		b = append(b, byte(c))
	}
	return short(string(b))
}

func short(text string) Value {
	if len(text) > maxValue {
		return Value{Text: text[:maxValue], Cut: true}
	}
	return Value{Text: text}
}
