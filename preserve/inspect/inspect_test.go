package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestTry(t *testing.T) {
	for _, p := range strings.Fields(os.Getenv("TRY")) {
		c, err := File(context.Background(), p, Options{MaxFindings: 3})
		if err != nil {
			t.Error(err)
			continue
		}
		b, _ := json.Marshal(c)
		s := string(b)
		if len(s) > 1500 {
			s = s[:1500]
		}
		fmt.Println(s)
	}
}
