/// How a stream ended whose packets had stayed away.
struct SilentEnd: BitwiseCopyable {
  let ssrc: UInt32
  /// The number that would have followed.
  let next: UInt16
  /// Samples in which it was frozen before, and all that had been made up since its last packet.
  let frozenRun: Int
  let concealedRun: Int
  /// Samples of silence that had stood for nothing up to then.
  let idleBefore: Int

  @_noLocks
  init(ssrc: UInt32, next: UInt16, frozenRun: Int, concealedRun: Int, idleBefore: Int) {
    self.ssrc = ssrc
    self.next = next
    self.frozenRun = frozenRun
    self.concealedRun = concealedRun
    self.idleBefore = idleBefore
  }
}
