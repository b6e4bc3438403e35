/// The beginning and the end of calls.
extension CallMachine {
  mutating func prepare(_ new: PrepareConfig, completion: Int?) {
    guard state == .idle || state == .prepared || state == .failed else {
      return refuse("prepareForCall", completion)
    }
    if let preparation {
      complete(preparation.completion, CallError(.refused, "a newer prepareForCall has taken the place of this one"))
    }
    preparation = nil
    do throws(CallError) { try new.check() } catch { return fail(error, completion) }
    releasePrepared(exceptFor: new)
    settings = new
    let number = makeNumber()
    preparation = (number, completion)
    emit(.preload(preparation: number, room: new.roomID, token: new.rtcToken))
  }

  /// Takes the outcome of a preparation.
  mutating func prepared(_ number: Int, _ error: CallError?) {
    guard let preparation, preparation.number == number else { return }
    self.preparation = nil
    guard ongoing == nil else {
      // The call lives on; its join has the same fault, or none.
      if let error { emit(.error(.rtcOccurError, error)) }
      return complete(preparation.completion, error)
    }
    if let error { return fail(error, preparation.completion) }
    if state != .prepared { set(.prepared, .none) }
    complete(preparation.completion, nil)
  }

  /// Ends the connection ahead to the room of a former preparation.
  private mutating func releasePrepared(exceptFor new: PrepareConfig?) {
    if let old = settings?.roomID, old != new?.roomID { emit(.release(room: old)) }
  }

  private mutating func fail(_ error: CallError, _ completion: Int?) {
    releasePrepared(exceptFor: nil)
    settings = nil
    emit(.error(.rtcOccurError, error))
    if state != .failed { set(.failed, .none, error.message) }
    complete(completion, error)
  }

  mutating func deinitialize(completion: Int?, _ now: Int) {
    if let preparation {
      complete(preparation.completion, CallError(.refused, "the calls were deinitialized meanwhile"))
    }
    preparation = nil
    switch (state, ongoing) {
    case (.calling, let call?):
      if call.isCaller { cancelCall(completion: nil, now) } else { reject(call.peer, nil, completion: nil, now) }
    case (_, let call?): hangup(call.peer, nil, completion: nil, now)
    default: break
    }
    releasePrepared(exceptFor: nil)
    settings = nil
    if state != .idle { set(.idle, .none) }
    emit(.event(.deinitialize, reason: nil))
    (isEnding, endCompletion) = (true, completion)
    finishEnding()
  }

  /// Ends a machine that is deinitialized, once no message is under way and the room is left.
  mutating func finishEnding() {
    guard isEnding, sent.isEmpty, stays.isEmpty else { return }
    isEnding = false
    complete(endCompletion, nil)
    emit(.over)
  }
}
