package ledger

import "testing"

// LoadWhere leaves out what is not wanted, and never what cannot be read.
func TestLoadWhere(t *testing.T) {
	f := newFixture(t)
	repo := f.open()
	for n, revisions := range []int{1, 3, 2, 3} {
		f.story(repo, idOf(byte(n+1)), revisions)
	}
	f.spoil(idOf(1).Ref()+":state.json", true)
	f.git("update-ref", idOf(4).Ref(), f.head)
	asked := 0
	runs, unread, err := LoadWhere(ctx, f.open(), func(last Message) bool {
		asked++
		return last.Revision == 2
	})
	if err != nil || len(runs) != 1 || runs[0].Tip.Run() != idOf(2) || string(runs[0].State) != `{"revision":2}` {
		t.Errorf("%+v, %v", runs, err)
	}
	if len(unread) != 1 || unread[0].Run != idOf(4) || asked != 3 {
		t.Errorf("%+v, asked %d times", unread, asked)
	}
}
