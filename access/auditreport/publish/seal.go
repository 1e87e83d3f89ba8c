package publish

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"quire/access/auditreport"
	"quire/repository/register"
)

// A report carries its signature: the signed note of a statement (quire/repository/register), in
// base64, behind a mark. The digest in the statement is that of the file without this base64.

// mark begins the signature in a file of any form.
const mark = "quire-report-signature:1:"

// kind is the kind of the statement.
const kind = "report"

// Signer signs the lines of a statement, as store.Store.SignStatement does.
type Signer func(kind string, lines ...string) ([]byte, error)

// errMark reports that a text of the report looks like a signature.
var errMark = errors.New("a text in the report contains " + mark + ", the mark of its signature")

// place returns the place of the base64 in a report that has none yet.
func place(content []byte) (int, error) {
	if bytes.Count(content, []byte(mark)) != 1 {
		return 0, errMark
	}
	return bytes.Index(content, []byte(mark)) + len(mark), nil
}

// seal signs a report, and returns it with its signature. A nil signer leaves it unsigned.
func seal(content []byte, r *auditreport.Report, form Form, sign Signer) ([]byte, error) {
	at, err := place(content)
	if err != nil || sign == nil {
		return content, err
	}
	sum := sha256.Sum256(content)
	lines := []string{"sha256 " + hex.EncodeToString(sum[:]), "repository " + r.Repository,
		"made " + r.Made.UTC().Format(time.RFC3339), "form " + string(form)}
	if g := r.Register; g != nil {
		lines = append(lines, fmt.Sprintf("register %d %s", g.Leaves, g.Root))
	}
	note, err := sign(kind, lines...)
	if err != nil {
		return nil, fmt.Errorf("signing the report: %w", err)
	}
	if err := namesKey(r, note); err != nil {
		return nil, err
	}
	signature := base64.StdEncoding.EncodeToString(note)
	return append(append(append(make([]byte, 0, len(content)+len(signature)), content[:at]...), signature...),
		content[at:]...), nil
}

// namesKey returns an error if the report names another key than the one that signed it: the key was replaced
// while the report was made.
func namesKey(r *auditreport.Report, note []byte) error {
	key, _, err := register.OpenStatement(note, kind)
	if err != nil {
		return fmt.Errorf("signing the report: %w", err)
	}
	if r.Register != nil && r.Register.Key != key {
		return errKey
	}
	return nil
}

var errKey = errors.New("the key of the repository was replaced while the report was made: make the report again")

// unsealed splits a report into its content, as it was digested, and its signature.
func unsealed(file []byte) (content []byte, signature string, err error) {
	at, err := place(file)
	if err != nil {
		return nil, "", errors.New("it has no mark of a signature, or several: it is no report of quire report")
	}
	end := at
	for end < len(file) && isBase64(file[end]) {
		end++
	}
	content = append(append(make([]byte, 0, len(file)), file[:at]...), file[end:]...)
	return content, string(file[at:end]), nil
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '='
}
