import Engine
import MediaStreams
import RTP

/// The sound of a remote user: its jitter buffer in the pipeline, and the reports about its packets.
///
/// Thread: the engine's.
final class ReceivedUser {
  let uid: UInt32
  private(set) var source: RTPSource
  /// SSRC of the packets; nil while none come.
  private(set) var ssrc: UInt32?
  /// Whether a packet of the present SSRC has come.
  private(set) var hasReceived = false
  /// Whether the channel's settings mute the user.
  var isMuted = false
  /// Whether two channels can take the place of one.
  var mayWiden: Bool
  private var session: RTCPSession
  /// Report of the RTCP session.
  var report: RTCPSessionReport { session.report }

  init(uid: UInt32, ssrc: UInt32, source: RTPSource, mayWiden: Bool, session: consuming RTCPSession) {
    self.uid = uid
    self.mayWiden = mayWiden
    self.ssrc = ssrc
    self.source = source
    self.session = session
  }

  /// Lets the packets of another SSRC follow at once.
  func change(to ssrc: UInt32, session: consuming RTCPSession) {
    guard ssrc != self.ssrc else { return }
    self.ssrc = ssrc
    self.session = session
    hasReceived = false
    source.receiveBye()
  }

  /// Continues with another jitter buffer.
  func replaceSource(with source: RTPSource) { self.source = source }

  /// Plays the received packets to their end; the user and its settings stay.
  func pause() {
    ssrc = nil
    hasReceived = false
    source.receiveBye()
  }

  func receive(_ packet: UnsafeRawBufferPointer, arrival: Int) {
    hasReceived = true
    source.receive(packet, arrivalNanoseconds: arrival, classifiedBy: &session)
  }

  /// Takes an RTCP datagram that may be about the user.
  func takeReports(_ datagram: UnsafeRawBufferPointer, arrival: Int) -> LinkFeedback? {
    guard let news = try? session.receive(datagram, nowNanoseconds: arrival) else { return nil }
    if news.isFromSource, news.hasLeft { source.receiveBye() }
    return news.hasReport || news.hasRoundTrip ? LinkFeedback(session.report) : nil
  }

  /// Time of the next report or request; `Int.max` while no packets come.
  var nextReportNanoseconds: Int {
    guard ssrc != nil else { return .max }
    return session.nextDeadlineNanoseconds(targetDelayNanoseconds: source.latestSnapshot.targetDelayNanoseconds)
  }

  /// Writes a report or a request that is due.
  ///
  /// - Returns: Bytes of the datagram; 0 if nothing is due.
  func writeReport(into memory: UnsafeMutableRawBufferPointer, now: Int, random: Double) -> Int {
    guard ssrc != nil else { return 0 }
    let snapshot = source.latestSnapshot
    return session.write(
      into: memory, targetDelayNanoseconds: snapshot.targetDelayNanoseconds, playout: snapshot.playout,
      nowNanoseconds: now, random: random)
  }
}
