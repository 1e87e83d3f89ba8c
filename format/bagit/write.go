package bagit

import (
	"fmt"
	"io"
	"strings"
)

// WriteDeclaration writes bagit.txt.
func WriteDeclaration(w io.Writer) (int, error) {
	return io.WriteString(w, "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
}

// WriteInfo writes bag-info.txt. Line breaks in a value become spaces.
func WriteInfo(w io.Writer, info []Element) error {
	for _, e := range info {
		value := strings.Join(strings.Fields(strings.ToValidUTF8(e.Value, "�")), " ")
		if value == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", e.Label, value); err != nil {
			return err
		}
	}
	return nil
}

// WriteLine writes a line of a manifest: a digest in hexadecimal, and the path of a file within the
// bag.
func WriteLine(w io.Writer, sum, path string) error {
	_, err := fmt.Fprintf(w, "%s  %s\n", sum, encodePath.Replace(path))
	return err
}

// encodePath encodes the characters that would break a line of a manifest (2.1.3).
var encodePath = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// decodePath reverses encodePath. Before version 1.0 a percent sign had no special meaning.
func decodePath(path string, old bool) string {
	if !strings.Contains(path, "%") {
		return path
	}
	pairs := []string{"%0D", "\r", "%0d", "\r", "%0A", "\n", "%0a", "\n"}
	if !old {
		pairs = append(pairs, "%25", "%")
	}
	return strings.NewReplacer(pairs...).Replace(path)
}

// Oxum returns the value of Payload-Oxum: bytes and files of the payload (2.2.2).
func Oxum(bytes, files int64) string { return fmt.Sprintf("%d.%d", bytes, files) }
