package replay

import (
	"errors"
	"io"
	"net/http"

	"quire/holdings/captures"
)

// maxSent limits the bytes of a request body that are compared with archived requests.
const maxSent = 1 << 20

var errSentTooMuch = errors.New("the request body is longer than a megabyte")

// sent adds method and body of a request to a query: captures of requests other than GET are found
// by both.
func (c *call) sent(q *captures.Query) error {
	if c.r.Method == http.MethodGet || c.r.Method == http.MethodHead {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(c.r.Body, maxSent+1))
	if err != nil {
		return err
	}
	if len(body) > maxSent {
		return errSentTooMuch
	}
	q.Method, q.Body, q.BodyType = c.r.Method, body, c.r.Header.Get("Content-Type")
	return nil
}
