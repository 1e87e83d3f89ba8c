package secret

import (
	"bytes"
	"io"
	"testing"
)

// BenchmarkFinder looks at text in the pieces in which files are copied: without a sign of a password, and with one in
// each line.
func BenchmarkFinder(b *testing.B) {
	for name, line := range map[string]string{
		"none":  "2024-01-02T03:04:05.000Z 200 7 http://a.test/x/y/z L http://a.test/ text/html #001 - - - -\n",
		"mail":  "2024-01-02T03:04:05.000Z 200 7 mailto:me@a.test L http://a.test/ text/html #001 - - - -\n",
		"coded": "2024-01-02T03:04:05.000Z 200 7 http://a.test/?m=me%40a L http://a.test/ text/html #001 - - - -\n",
	} {
		text := bytes.Repeat([]byte(line), 256<<10/len(line))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var f Finder
				if _, err := io.Copy(&f, bytes.NewReader(text)); err != nil || f.Found {
					b.Fatal(err, f.Found)
				}
			}
		})
	}
}
