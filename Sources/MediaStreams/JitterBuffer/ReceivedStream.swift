import RTP

/// Stream that a receiver plays: its source, and the newest facts from its packets.
struct ReceivedStream {
  /// Source of the stream; nil while there is none.
  private(set) var ssrc: UInt32?
  /// Source of the newest stream, also after its end.
  private var newestSource: UInt32?
  /// Time of arrival of the newest packet, in nanoseconds.
  var newestArrival = 0
  /// Time of arrival of the newest packet with FEC, or of the stream's begin, in nanoseconds.
  var newestFEC = 0
  /// Level that the newest packet carries; nil if it carries none.
  var audioLevel: AudioLevel?
  /// Whether the sender has said BYE: packets that wait are played, and nothing is concealed behind them.
  var isLeaving = false
  /// Source that ended by falling silent, and the number that would have followed; nil if there is none.
  var silent: SilentEnd?

  /// Starts a stream.
  ///
  /// - Returns: whether its source differs from that of the stream before.
  @_noLocks
  mutating func begin(source: UInt32) -> Bool {
    var isOther = false
    if let newestSource { isOther = newestSource != source }
    ssrc = source
    newestSource = source
    return isOther
  }

  /// Ends the stream.
  @_noLocks
  mutating func end() {
    silent = nil
    ssrc = nil
    isLeaving = false
    audioLevel = nil
  }
}
