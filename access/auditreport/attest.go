package auditreport

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"quire/internal/yamlfile"
)

// Answer is a person's answer to a requirement.
type Answer string

// The answers.
const (
	Yes    Answer = "yes"
	Partly Answer = "partly"
	No     Answer = "no"
)

// Attestations are the statements of people on requirements that no program can check.
type Attestations struct {
	Institution string
	Copies      map[string]*Place      // by name of the copy
	Claims      map[string]Attestation // by id of the claim
	SHA256      string                 // of the file, hex
}

// Attestation is the statement of a person on one claim.
type Attestation struct {
	Answer    Answer   `json:"answer"`
	Statement string   `json:"statement"`
	Evidence  []string `json:"evidence"` // links, titles of documents
	By        string   `json:"by"`
	On        string   `json:"on"` // yyyy-mm-dd
}

// attestForm is the version of the form.
const attestForm = "1"

// ReadAttestations reads a file of attestations: YAML, as [Template] prints it. The error lists all
// problems with their lines.
func ReadAttestations(path string) (*Attestations, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	a, err := parseAttestations(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, nil
}

func parseAttestations(text []byte) (*Attestations, error) {
	n, err := yamlfile.Read(bytes.NewReader(text), "the attestations")
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, c := range personClaims() {
		known[c.id] = true
	}
	sum := sha256.Sum256(text)
	a := &Attestations{Copies: map[string]*Place{}, Claims: map[string]Attestation{},
		SHA256: hex.EncodeToString(sum[:])}
	form := ""
	n.Fields(map[string]func(*yamlfile.Node){
		"form":        func(n *yamlfile.Node) { form = n.OneOf(attestForm) },
		"institution": func(n *yamlfile.Node) { a.Institution = n.Text() },
		"copies": func(n *yamlfile.Node) {
			n.Each(func(name string, n *yamlfile.Node) { a.Copies[name] = readPlace(n) })
		},
		"claims": func(n *yamlfile.Node) {
			n.Each(func(id string, n *yamlfile.Node) {
				if !known[id] {
					n.Fail("%.80q is no claim of this form; quire report --template lists them", id)
					return
				}
				a.Claims[id] = readAttestation(n)
			})
		},
	})
	if form == "" && n.Problems() == 0 {
		n.Fail("form: %s is missing", attestForm)
	}
	return a, n.Err()
}

func readPlace(n *yamlfile.Node) *Place {
	p := &Place{}
	n.Fields(map[string]func(*yamlfile.Node){
		"place":  func(n *yamlfile.Node) { p.Place = n.Text() },
		"threat": func(n *yamlfile.Node) { p.Threat = n.Text() },
		"medium": func(n *yamlfile.Node) { p.Medium = n.Text() },
	})
	return p
}

func readAttestation(n *yamlfile.Node) (t Attestation) {
	t.Evidence = []string{}
	n.Fields(map[string]func(*yamlfile.Node){
		"answer":    func(n *yamlfile.Node) { t.Answer = Answer(n.OneOf(string(Yes), string(Partly), string(No))) },
		"statement": func(n *yamlfile.Node) { t.Statement = n.Text() },
		"evidence":  func(n *yamlfile.Node) { t.Evidence = n.Texts() },
		"by":        func(n *yamlfile.Node) { t.By = n.Text() },
		"on":        func(n *yamlfile.Node) { t.On = n.Date() },
	})
	if n.Problems() == 0 && (t.Answer == "" || t.By == "" || t.On == "") {
		n.Fail("answer, by and on are required")
	}
	return t
}

// Template writes the form for attestations: each claim that needs a person, as a comment to fill in.
// It has the names of the copies, if they are given.
func Template(w io.Writer, copies []string) error {
	var b strings.Builder
	b.WriteString("# Attestations for quire report --attest FILE.\n" +
		"# Remove \"# \" before the lines that you fill in. The rest stays open, and the report says so.\n" +
		"form: " + attestForm + "\n\n# institution: Name of the institution\n\n" +
		"# copies:\n")
	if len(copies) == 0 {
		copies = []string{"copy-1"}
	}
	for _, name := range copies {
		fmt.Fprintf(&b, "#   %s:\n#     place: Town and building\n#     threat: Its main disaster threat, such as "+
			"flood\n"+
			"#     medium: Its storage medium, such as disk\n", name)
	}
	b.WriteString("\n# claims:\n")
	head := ""
	for _, c := range personClaims() {
		if c.head != head {
			head = c.head
			fmt.Fprintf(&b, "\n#   # %s\n", head)
		}
		fmt.Fprintf(&b, "\n#   # %s\n#   %s:\n#     answer: yes\n#     statement: The evidence in a sentence\n"+
			"#     evidence: [a link or the title of a document]\n#     by: Name and role\n#     on: 2026-12-31\n",
			c.text, c.id)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
