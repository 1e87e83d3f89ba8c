package pack

import (
	"context"
	"os"
	"strings"
	"testing"

	"quire/model"
)

func TestTry(t *testing.T) {
	r, err := Pack(context.Background(), strings.Fields(os.Getenv("TRY")), Options{Out: os.Getenv("OUT"), Agent: model.Agent{Name: "Quire", Version: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
}
