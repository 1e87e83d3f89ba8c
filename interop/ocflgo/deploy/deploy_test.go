package deploy

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	apps "k8s.io/api/apps/v1"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

const folder = "../../../deploy"

// TestCompose: the compose file fits the schema of Compose with the settings of env.example, and not without a
// password. Readers, workers and the watch share the repository, and are confined.
func TestCompose(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder, "compose")
	text, err := os.ReadFile(filepath.Join(dir, "env.example"))
	if err != nil {
		t.Fatal(err)
	}
	env := types.Mapping{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(name, "#") {
			env[name] = value
		}
	}
	load := func(env types.Mapping) (*types.Project, error) {
		return loader.LoadWithContext(context.Background(), types.ConfigDetails{WorkingDir: dir, Environment: env,
			ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "compose.yaml")}}},
			loader.WithProfiles([]string{"*"}))
	}
	project, err := load(env)
	if err != nil {
		t.Fatal(err)
	}
	if names := project.ServiceNames(); !slices.Equal(names, []string{"bucket", "postgres", "prometheus", "s3", "serve",
		"watch", "work"}) {
		t.Errorf("services %v", names)
	}
	for _, name := range []string{"serve", "work", "watch"} {
		s := project.Services[name]
		if s.Image != "quire:VERSION" || !s.ReadOnly || s.User != "65532:65532" ||
			!slices.Equal(s.CapDrop, []string{"ALL"}) ||
			len(s.Volumes) != 4 || s.Environment["PGPASSWORD"] == nil || *s.Environment["PGPASSWORD"] != "change-me" {
			t.Errorf("%s: %+v", name, s)
		}
	}
	for _, s := range project.Services {
		for _, v := range s.Volumes {
			if v.Type == types.VolumeTypeBind && v.ReadOnly {
				if _, err := os.Stat(v.Source); err != nil {
					t.Errorf("%s mounts a file that is not there: %v", s.Name, err)
				}
			}
		}
		for _, p := range s.Ports {
			if p.HostIP != "127.0.0.1" {
				t.Errorf("%s publishes a port to the network: %+v", s.Name, p)
			}
		}
	}
	delete(env, "POSTGRES_PASSWORD")
	if _, err := load(env); err == nil || !strings.Contains(err.Error(), "POSTGRES_PASSWORD") {
		t.Errorf("without a password: %v", err)
	}
}

// TestKubernetes: each manifest has only fields that its kind has, and the kustomization names all files.
func TestKubernetes(t *testing.T) {
	t.Parallel()
	kinds := map[string]func() any{
		"v1 Namespace":                       func() any { return &core.Namespace{} },
		"v1 ConfigMap":                       func() any { return &core.ConfigMap{} },
		"v1 Service":                         func() any { return &core.Service{} },
		"apps/v1 Deployment":                 func() any { return &apps.Deployment{} },
		"v1 PersistentVolumeClaim":           func() any { return &core.PersistentVolumeClaim{} },
		"batch/v1 CronJob":                   func() any { return &batch.CronJob{} },
		"networking.k8s.io/v1 Ingress":       func() any { return &network.Ingress{} },
		"networking.k8s.io/v1 NetworkPolicy": func() any { return &network.NetworkPolicy{} },
		"kustomize.config.k8s.io/v1beta1 Kustomization": func() any {
			return &struct {
				APIVersion, Kind, Namespace string
				Resources                   []string
				Images                      []struct{ Name, NewName, NewTag string }
			}{}
		},
	}
	files, err := filepath.Glob(filepath.Join(folder, "kubernetes", "*.yaml"))
	if err != nil || len(files) < 8 {
		t.Fatalf("%v, %v", files, err)
	}
	kustomization, err := os.ReadFile(filepath.Join(folder, "kubernetes", "kustomization.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		if name != "kustomization.yaml" && !bytes.Contains(kustomization, []byte("- "+name+"\n")) {
			t.Errorf("the kustomization lacks %s", name)
		}
		for _, document := range bytes.Split(text, []byte("\n---\n")) {
			var head struct {
				APIVersion string `json:"apiVersion"`
				Kind       string `json:"kind"`
			}
			if err := yaml.Unmarshal(document, &head); err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			kind := head.APIVersion + " " + head.Kind
			if kinds[kind] == nil {
				t.Errorf("%s: %q is not a known kind", file, kind)
				continue
			}
			found[head.Kind]++
			object := kinds[kind]()
			if err := yaml.UnmarshalStrict(document, object); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			switch o := object.(type) {
			case *apps.Deployment:
				confined(t, o.Name, &o.Spec.Template.Spec)
				for name, value := range o.Spec.Selector.MatchLabels {
					if o.Spec.Template.Labels[name] != value {
						t.Errorf("%s: the selector does not match its pods", o.Name)
					}
				}
			case *batch.CronJob:
				confined(t, o.Name, &o.Spec.JobTemplate.Spec.Template.Spec)
			}
		}
	}
	if found["Deployment"] != 2 || found["CronJob"] != 1 || found["Service"] != 2 || found["NetworkPolicy"] != 2 {
		t.Errorf("found %v", found)
	}
}

// confined checks that a pod meets the standard "restricted", and that each mount has its volume.
func confined(t *testing.T, name string, pod *core.PodSpec) {
	t.Helper()
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	if s := pod.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot ||
		s.SeccompProfile == nil || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
		t.Errorf("%s: the pod is not confined: %+v", name, s)
	}
	for _, c := range pod.Containers {
		s := c.SecurityContext
		if s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.Capabilities == nil ||
			!slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) || !*s.ReadOnlyRootFilesystem {
			t.Errorf("%s: the container is not confined: %+v", name, s)
		}
		if c.Image != "quire" || len(c.EnvFrom) != 2 || c.Resources.Limits.Memory().IsZero() {
			t.Errorf("%s: %+v", name, c)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("%s: no volume %s", name, m.Name)
			}
		}
	}
}
