import RTP

/// The stream that a receiver hears: its source, and what its packets have said last.
struct ReceivedStream {
  /// The source of the stream; nil while there is none.
  private(set) var ssrc: UInt32?
  /// The source of the newest stream, also after its end.
  private var newestSource: UInt32?
  /// Time at which the newest packet came, in nanoseconds.
  var newestArrival = 0
  /// Time at which the newest packet with FEC came, or the stream began.
  var newestFEC = 0
  /// Level that the newest packet carries.
  var audioLevel: AudioLevel?
  /// True once the sender has said BYE: packets that wait are played, and nothing is concealed behind them.
  var isLeaving = false
  /// The source that ended by falling silent, and the number that would have followed.
  var silent: SilentEnd?

  /// A stream begins. Returns: whether its source differs from that of the stream before.
  @_noLocks
  mutating func begin(source: UInt32) -> Bool {
    var isOther = false
    if let newestSource { isOther = newestSource != source }
    ssrc = source
    newestSource = source
    return isOther
  }

  /// The stream has ended.
  @_noLocks
  mutating func end() {
    silent = nil
    ssrc = nil
    isLeaving = false
    audioLevel = nil
  }
}
