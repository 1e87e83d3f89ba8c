package publish

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/access/auditreport"
	"quire/repository/register"
)

// keyed returns a signer with a new register, and its key.
func keyed(t *testing.T) (Signer, string) {
	t.Helper()
	dir := t.TempDir()
	o := register.Options{Folder: filepath.Join(dir, "register"), Key: filepath.Join(dir, "register.key")}
	w, err := register.Create(context.Background(), o, register.Origin("test"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return w.SignStatement, w.Keys()[0].Key
}

// written returns the file of a report.
func written(t *testing.T, form Form, sign Signer) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report")
	if err := Write(path, full(), form, sign); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestVerify changes bytes of every kind in a report of each form: all changes are noticed.
func TestVerify(t *testing.T) {
	sign, key := keyed(t)
	_, other := keyed(t)
	for _, form := range []Form{JSON, HTML, PDF} {
		file := written(t, form, sign)
		v := verify(file, nil)
		if !v.Valid || v.Key != key || v.Compared || v.Form != string(form) || v.Repository != full().Repository ||
			len(v.Unproved) != 3 {
			t.Fatalf("%s: %+v", form, v)
		}
		if v := verify(file, []string{other, key}); !v.Valid || !v.Compared || len(v.Unproved) != 2 {
			t.Errorf("%s with its key: %+v", form, v)
		}
		if v := verify(file, []string{other}); v.Valid || !strings.Contains(v.Problem, "another key") {
			t.Errorf("%s with another key: %+v", form, v)
		}
		begin := bytes.Index(file, []byte(mark))
		end := begin + len(mark)
		for end < len(file) && isBase64(file[end]) {
			end++
		}
		step := max(len(file)/300, 1)
		for i := 0; i < len(file); i++ {
			if (i < begin-40 || i > end+40) && i%step != 0 && i != len(file)-1 {
				continue
			}
			for _, b := range []byte{file[i] ^ 1, file[i] ^ 0x80, 'A', '=', '\n'} {
				if b == file[i] {
					continue
				}
				changed := append([]byte{}, file...)
				changed[i] = b
				if v := verify(changed, nil); v.Valid {
					t.Fatalf("%s: byte %d (%q) as %q is not noticed", form, i, file[i], b)
				}
			}
		}
		for name, changed := range map[string][]byte{
			"cut": file[:len(file)-1], "longer": append(append([]byte{}, file...), '\n'), "empty": {},
			"unsigned":          append(append([]byte{}, file[:begin+len(mark)]...), file[end:]...),
			"a second mark":     append(append([]byte{}, file...), mark...),
			"another signature": bytes.Replace(file, file[begin+len(mark):end], otherSignature(t, form, sign), 1),
		} {
			if v := verify(changed, nil); v.Valid || v.Problem == "" {
				t.Errorf("%s, %s: %+v", form, name, v)
			}
		}
	}
}

// otherSignature returns the valid signature of a report with other content.
func otherSignature(t *testing.T, form Form, sign Signer) []byte {
	t.Helper()
	r := full()
	r.Holdings.Packages++
	c, err := content(r, form, true)
	if err == nil {
		c, err = seal(c, r, form, sign)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, signature, err := unsealed(c)
	if err != nil || signature == "" {
		t.Fatal(err)
	}
	return []byte(signature)
}

// TestUnsigned: a report without a key says so, and does not verify.
func TestUnsigned(t *testing.T) {
	for _, form := range []Form{JSON, HTML, PDF} {
		file := written(t, form, nil)
		if v := verify(file, nil); v.Valid || v.Problem != "it is not signed" {
			t.Errorf("%s: %+v", form, v)
		}
		if form == HTML && !bytes.Contains(file, []byte("The report is not signed, so")) {
			t.Error("the page does not say that it is not signed")
		}
	}
}

// TestMark: no text of a report may look like its signature.
func TestMark(t *testing.T) {
	sign, _ := keyed(t)
	r := full()
	r.Institution = mark + "AAAA"
	for _, form := range []Form{JSON, HTML} { // in a PDF, texts are encoded
		c, err := content(r, form, true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := seal(c, r, form, sign); err == nil {
			t.Errorf("%s: signed", form)
		}
	}
}

// TestReplacedKey: a report that names another key than the one that signs it is not written.
func TestReplacedKey(t *testing.T) {
	sign, key := keyed(t)
	_, other := keyed(t)
	for _, k := range []string{key, other} {
		r := full()
		r.Register = &auditreport.Register{Key: k, Fingerprint: register.Fingerprint(k)}
		err := Write(filepath.Join(t.TempDir(), "report"), r, HTML, sign)
		if (err == nil) != (k == key) {
			t.Errorf("signed by the key: %v, %v", k == key, err)
		}
	}
}

// TestForged: the signed digest counts, not the lines around it.
func TestForged(t *testing.T) {
	sign, _ := keyed(t)
	c, err := content(full(), JSON, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range [][]string{{"repository x"}, {"sha256 00", "form json"}} {
		note, err := sign(kind, lines...)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := place(c)
		file := string(c[:at]) + base64.StdEncoding.EncodeToString(note) + string(c[at:])
		if v := verify([]byte(file), nil); v.Valid {
			t.Errorf("%q: %+v", lines, v)
		}
	}
}

// TestJSON: the signed JSON is JSON, and has all rows.
func TestJSON(t *testing.T) {
	sign, _ := keyed(t)
	var got struct {
		auditreport.Report
		Signature string `json:"signature"`
	}
	d := json.NewDecoder(bytes.NewReader(written(t, JSON, sign)))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || len(got.Signature) < len(mark)+100 || len(got.Audits.Runs) != 150 ||
		got.Institution != full().Institution {
		t.Errorf("%v, %d runs", err, len(got.Audits.Runs))
	}
}

func TestReadKeys(t *testing.T) {
	_, key := keyed(t)
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte("0 first "+key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{key, file} {
		if got, err := ReadKeys(from); err != nil || len(got) != 1 || got[0] != key {
			t.Errorf("%s: %v, %v", from, got, err)
		}
	}
	if err := os.WriteFile(file, []byte("no key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"no+key", file} {
		if got, err := ReadKeys(from); err == nil {
			t.Errorf("%s: %v", from, got)
		}
	}
}
