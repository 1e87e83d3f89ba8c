package chromium

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// pipe is the connection with a browser: messages in JSON, each ended by a zero byte.
type pipe struct {
	in       io.Writer
	messages chan *message // closed at the end of the output
	stop     chan struct{}
	last     int64

	mu  sync.Mutex
	err error
}

// message is one from the browser: the result of a call, or an event.
type message struct {
	ID     int64
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Message string }
}

func newPipe(in io.Writer, out io.Reader) *pipe {
	p := &pipe{in: in, messages: make(chan *message), stop: make(chan struct{})}
	go p.read(bufio.NewReaderSize(out, 64<<10))
	return p
}

// end lets the reader end.
func (p *pipe) end() { close(p.stop) }

// read reads messages until the end of the output.
func (p *pipe) read(r *bufio.Reader) {
	defer close(p.messages)
	for {
		text, err := next(r)
		m := &message{}
		if err == nil {
			err = json.Unmarshal(text, m)
		}
		if err != nil {
			p.mu.Lock()
			p.err = err
			p.mu.Unlock()
			return
		}
		select {
		case p.messages <- m:
		case <-p.stop:
			return
		}
	}
}

// next reads one message, up to the limit.
func next(r *bufio.Reader) (text []byte, err error) {
	for {
		part, err := r.ReadSlice(0)
		text = append(text, part...)
		switch {
		case err == nil:
			return text[:len(text)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(text) > maxMessage:
			return nil, fmt.Errorf("the browser sent a message of more than %d bytes", maxMessage)
		}
	}
}

// failure returns why the messages ended.
func (p *pipe) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(p.err, io.EOF) {
		return errors.New("the browser ended before the picture was taken")
	}
	return p.err
}

// say calls a method, and returns the number of the call.
func (p *pipe) say(session, method string, params any) (id int64, err error) {
	if params == nil {
		params = struct{}{}
	}
	p.last++
	text, err := json.Marshal(struct {
		ID        int64  `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params"`
	}{p.last, session, method, params})
	if err != nil {
		return 0, err
	}
	_, err = p.in.Write(append(text, 0))
	return p.last, err
}

// event handles an event of the page; others are ignored, and so are the results of calls without a reader.
func (p *page) event(m *message) error {
	switch m.Method {
	case "Fetch.requestPaused":
		return p.paused(m)
	case "Page.loadEventFired":
		p.loaded = true
	case "Inspector.targetCrashed", "Target.targetCrashed": // the picture would be blank
		return &crashError{}
	case "Page.javascriptDialogOpening": // alert would stop the page
		_, err := p.say(p.session, "Page.handleJavaScriptDialog", map[string]any{"accept": false})
		return err
	}
	return nil
}

// crashError reports that the process of the page died.
type crashError struct{}

// Error implements error.
func (*crashError) Error() string {
	return "the process of the page ended before the picture was taken"
}

// paused answers a request. Beyond the limits, and for sound and films, there is nothing.
func (p *page) paused(m *message) error {
	var r struct {
		RequestID    string
		ResourceType string
		Request      struct {
			URL, Method, PostData string
			Headers               map[string]string
		}
	}
	if err := json.Unmarshal(m.Params, &r); err != nil {
		return err
	}
	var a *Response
	if p.asked++; p.asked <= maxAnswers && p.answered < maxAnswered && r.ResourceType != "Media" {
		q := Request{URL: r.Request.URL, Method: r.Request.Method, ContentType: r.Request.Headers["Content-Type"],
			Body: []byte(r.Request.PostData)}
		var err error
		if a, err = p.answers(p.ctx, q); err != nil {
			return err
		}
	}
	if a == nil {
		a = &Response{Status: 404, ContentType: "text/plain"}
	}
	p.answered += int64(len(a.Body))
	type header struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	// Fonts and scripts of other hosts need leave to be used.
	headers := []header{{"Access-Control-Allow-Origin", "*"}}
	if origin := r.Request.Headers["Origin"]; origin != "" && origin != "null" {
		headers = []header{{"Access-Control-Allow-Origin", origin}, {"Access-Control-Allow-Credentials", "true"}}
	}
	for _, h := range []header{{"Content-Type", a.ContentType}, {"Location", a.Location}} {
		if h.Value != "" {
			headers = append(headers, h)
		}
	}
	_, err := p.say(p.session, "Fetch.fulfillRequest", map[string]any{"requestId": r.RequestID,
		"responseCode": a.Status, "responseHeaders": headers, "body": base64.StdEncoding.EncodeToString(a.Body)})
	return err
}
