package machine

// The kind of each event, and the mark that closes the set.

func (Init) Kind() Kind                          { return KindRunInitialized }
func (RecoveryRulingRecorded) Kind() Kind        { return KindRecoveryRulingRecorded }
func (RulingRecorded) Kind() Kind                { return KindRulingRecorded }
func (RunRelocated) Kind() Kind                  { return KindRunRelocated }
func (RunAbandoned) Kind() Kind                  { return KindRunAbandoned }
func (ChildLost) Kind() Kind                     { return KindChildLost }
func (ChildInadmissible) Kind() Kind             { return KindChildInadmissible }
func (CapabilityConfirmed) Kind() Kind           { return KindCapabilityConfirmed }
func (CapabilityMissing) Kind() Kind             { return KindCapabilityMissing }
func (PlanValid) Kind() Kind                     { return KindPlanValid }
func (PlanInvalidated) Kind() Kind               { return KindPlanInvalidated }
func (PlanConflict) Kind() Kind                  { return KindPlanConflict }
func (PreflightClean) Kind() Kind                { return KindPreflightClean }
func (PreflightConflict) Kind() Kind             { return KindPreflightConflict }
func (PreflightApproved) Kind() Kind             { return KindPreflightApproved }
func (PreflightRejected) Kind() Kind             { return KindPreflightRejected }
func (ImplementDispatchIntended) Kind() Kind     { return KindImplementDispatchIntended }
func (DispatchStarted) Kind() Kind               { return KindDispatchStarted }
func (DispatchMismatch) Kind() Kind              { return KindDispatchMismatch }
func (DispatchWindowCrossed) Kind() Kind         { return KindDispatchWindowCrossed }
func (DispatchRulingRecorded) Kind() Kind        { return KindDispatchRulingRecorded }
func (ImplementerFinished) Kind() Kind           { return KindImplementerFinished }
func (ImplementerStatusRecorded) Kind() Kind     { return KindImplementerStatusRecorded }
func (ContextDispatchIntended) Kind() Kind       { return KindContextDispatchIntended }
func (ContextLimitReached) Kind() Kind           { return KindContextLimitReached }
func (ConcernRulingRecorded) Kind() Kind         { return KindConcernRulingRecorded }
func (TaskReviewDispatchIntended) Kind() Kind    { return KindTaskReviewDispatchIntended }
func (TaskReviewFinished) Kind() Kind            { return KindTaskReviewFinished }
func (ReviewApproved) Kind() Kind                { return KindReviewApproved }
func (ReviewBlocked) Kind() Kind                 { return KindReviewBlocked }
func (FixDispatchIntended) Kind() Kind           { return KindFixDispatchIntended }
func (FixerFinished) Kind() Kind                 { return KindFixerFinished }
func (FixerBlocked) Kind() Kind                  { return KindFixerBlocked }
func (RereviewDispatchIntended) Kind() Kind      { return KindRereviewDispatchIntended }
func (RereviewFinished) Kind() Kind              { return KindRereviewFinished }
func (RereviewApproved) Kind() Kind              { return KindRereviewApproved }
func (TaskParkRulingRecorded) Kind() Kind        { return KindTaskParkRulingRecorded }
func (NextFixDispatchIntended) Kind() Kind       { return KindNextFixDispatchIntended }
func (RereviewBlocked) Kind() Kind               { return KindRereviewBlocked }
func (NextTaskReady) Kind() Kind                 { return KindNextTaskReady }
func (FinalReviewDispatchIntended) Kind() Kind   { return KindFinalReviewDispatchIntended }
func (FinalReviewFinished) Kind() Kind           { return KindFinalReviewFinished }
func (FinalComplete) Kind() Kind                 { return KindFinalComplete }
func (FinalFixDispatchIntended) Kind() Kind      { return KindFinalFixDispatchIntended }
func (FinalWorkBlocked) Kind() Kind              { return KindFinalWorkBlocked }
func (FinalFixerFinished) Kind() Kind            { return KindFinalFixerFinished }
func (FinalRereviewDispatchIntended) Kind() Kind { return KindFinalRereviewDispatchIntended }
func (FinalFixerBlocked) Kind() Kind             { return KindFinalFixerBlocked }
func (FinalRereviewFinished) Kind() Kind         { return KindFinalRereviewFinished }
func (FinalParkRulingRecorded) Kind() Kind       { return KindFinalParkRulingRecorded }

func (Init) event()                          {}
func (RecoveryRulingRecorded) event()        {}
func (RulingRecorded) event()                {}
func (RunRelocated) event()                  {}
func (RunAbandoned) event()                  {}
func (ChildLost) event()                     {}
func (ChildInadmissible) event()             {}
func (CapabilityConfirmed) event()           {}
func (CapabilityMissing) event()             {}
func (PlanValid) event()                     {}
func (PlanInvalidated) event()               {}
func (PlanConflict) event()                  {}
func (PreflightClean) event()                {}
func (PreflightConflict) event()             {}
func (PreflightApproved) event()             {}
func (PreflightRejected) event()             {}
func (ImplementDispatchIntended) event()     {}
func (DispatchStarted) event()               {}
func (DispatchMismatch) event()              {}
func (DispatchWindowCrossed) event()         {}
func (DispatchRulingRecorded) event()        {}
func (ImplementerFinished) event()           {}
func (ImplementerStatusRecorded) event()     {}
func (ContextDispatchIntended) event()       {}
func (ContextLimitReached) event()           {}
func (ConcernRulingRecorded) event()         {}
func (TaskReviewDispatchIntended) event()    {}
func (TaskReviewFinished) event()            {}
func (ReviewApproved) event()                {}
func (ReviewBlocked) event()                 {}
func (FixDispatchIntended) event()           {}
func (FixerFinished) event()                 {}
func (FixerBlocked) event()                  {}
func (RereviewDispatchIntended) event()      {}
func (RereviewFinished) event()              {}
func (RereviewApproved) event()              {}
func (TaskParkRulingRecorded) event()        {}
func (NextFixDispatchIntended) event()       {}
func (RereviewBlocked) event()               {}
func (NextTaskReady) event()                 {}
func (FinalReviewDispatchIntended) event()   {}
func (FinalReviewFinished) event()           {}
func (FinalComplete) event()                 {}
func (FinalFixDispatchIntended) event()      {}
func (FinalWorkBlocked) event()              {}
func (FinalFixerFinished) event()            {}
func (FinalRereviewDispatchIntended) event() {}
func (FinalFixerBlocked) event()             {}
func (FinalRereviewFinished) event()         {}
func (FinalParkRulingRecorded) event()       {}
