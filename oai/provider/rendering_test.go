package provider

import (
	"context"
	"io"
	"iter"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quire/oai/protocol"
)

// stubborn renders one record and ignores cancellation.
type stubborn struct {
	Backend
	begun, goOn chan struct{}
}

func (s *stubborn) Formats() []protocol.Format {
	return []protocol.Format{{Prefix: "oai_dc", Schema: "http://a.example/x.xsd", Namespace: "http://a.example/"}}
}

func (s *stubborn) List(context.Context, Query) iter.Seq2[protocol.Header, error] {
	return func(yield func(protocol.Header, error) bool) {
		yield(protocol.Header{Identifier: "http://a.example/", Datestamp: time.Unix(1e9, 0)}, nil)
	}
}

func (s *stubborn) Write(_ context.Context, _ protocol.Header, _ string, out io.Writer) error {
	close(s.begun)
	<-s.goOn
	_, err := io.WriteString(out, "<x>"+strings.Repeat("x", 8*spoolFirst)+"</x>")
	return err
}

// If a client leaves during rendering, the record's memory is freed.
func TestRoomIsGivenBack(t *testing.T) {
	synctest.Test(t, testRoomIsGivenBack)
}

func testRoomIsGivenBack(t *testing.T) {
	b := &stubborn{begun: make(chan struct{}), goOn: make(chan struct{})}
	p, err := New(b, Options{Name: "x", BaseURL: "http://a.example/oai", AdminEmail: []string{"oai@a.example"},
		Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	before := p.room.free.Load()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	g := &page{p: p, began: time.Now(), a: newAnswer(p, httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))}
	g.a.request = &request{verb: protocol.ListRecords, query: Query{Prefix: "oai_dc"}}
	ended := make(chan error)
	go func() {
		_, err := g.fill(ctx)
		ended <- err
	}()
	<-b.begun
	cancel()
	synctest.Wait() // until the client waits no longer
	close(b.goOn)
	if err := <-ended; err == nil {
		t.Error("a page was completed")
	}
	if after := p.room.free.Load(); after != before {
		t.Errorf("%d bytes are gone", before-after)
	}
}
