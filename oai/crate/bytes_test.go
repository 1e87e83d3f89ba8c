package crate

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"quire/oai/resource"
)

// Captured bytes that are too large for a document are available at the reference, exactly those
// bytes.
func TestBytesAreHadAtTheReference(t *testing.T) {
	big := page("http://a.example/big", "video/mp4", strings.Repeat("x", 100))
	big.Identifier, big.Captured, big.Coding = "urn:x:capture:1:http%3A%2F%2Fa.example%2Fbig&x=+", when, "gzip"
	withheld := page("http://a.example/secret", "text/plain", "x")
	withheld.Withheld = "closed\r\nX: y"
	cut := page("http://a.example/cut", "text/plain", "hello")
	cut.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader("hel"), iotest.ErrReader(errors.New("damaged")))), nil
	}
	broken := page("http://a.example/broken", "text/plain", "x")
	broken.Open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("damaged") }
	all := collection{}
	for _, r := range []*resource.Resource{big, withheld, cut, broken} {
		all[r.Identifier] = r
	}
	server := httptest.NewServer(BytesHandler(all))
	defer server.Close()

	doc, _ := read(t, record(t, &Disseminator{ByValue: 10, Bytes: server.URL + "/bytes"}, big, "oai_crate"))
	if len(doc.Resources) != 1 || doc.Resources[0].Ref == "" || doc.Resources[0].ByValue {
		t.Fatal(brief(doc))
	}
	response, err := server.Client().Get(doc.Resources[0].Ref)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	s := newSum(nil, true)
	if _, err := io.Copy(s, response.Body); err != nil {
		t.Fatal(err)
	}
	if s.fixity() != doc.Resources[0].Stated || response.Header.Get("Content-Encoding") != "" ||
		response.Header.Get("Content-Type") != unknownType {
		t.Errorf("%+v %v", s.fixity(), response.Header)
	}
	for id, want := range map[string]int{"never": 404, withheld.Identifier: 403, broken.Identifier: 500} {
		response, err := server.Client().Get(server.URL + "/bytes?identifier=" + id)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %s; want %d", id, response.Status, want)
		}
	}
	response, err = server.Client().Get(server.URL + "/bytes?identifier=" + cut.Identifier)
	if err == nil {
		defer response.Body.Close()
		_, err = io.ReadAll(response.Body)
	}
	if err == nil {
		t.Error("a part looks like the whole")
	}
}
