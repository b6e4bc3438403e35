import JSON
import Platform
import RTP
import RTPSessions

/// The sources of a port, as `rtp receive --each-out` reports them.
struct CollectedSources: Sendable {
  struct Source: Sendable {
    let user: UInt32
    let ssrc: UInt32
    let format: RTPPayloadFormat
    let address: SocketAddress
    let beginSeconds: Double
    var endSeconds: Double?
    var end: SourceEnd?
    var keys: [KeyPress] = []
  }

  private(set) var all: [Source] = []
  private(set) var refusedCount = 0
  /// End of the latest sound of the sources that have ended, in samples of the pipeline's time.
  private var latestEnd = 0

  /// Whether every source has ended, and there was one.
  var areOver: Bool { !all.isEmpty && all.allSatisfy { $0.end != nil } }

  /// Takes an event of the endpoint.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - seconds: time of the event.
  ///   - position: that time, in samples of the pipeline.
  ///   - timeout: time without a packet after which a source has ended, in samples.
  mutating func take(_ event: RTPEndpointEvent, atSeconds seconds: Double, position: Int, timeout: Int) {
    switch event {
    case .sourceBegan(let user, let ssrc, let format, let address):
      all.append(Source(user: user, ssrc: ssrc, format: format, address: address, beginSeconds: seconds))
    case .sourceEnded(let user, _, let end):
      guard let index = all.lastIndex(where: { $0.user == user && $0.end == nil }) else { return }
      all[index].end = end
      all[index].endSeconds = seconds
      latestEnd = max(latestEnd, end == .timeout ? position - timeout : position)
    case .keyPress(let user, let press):
      if let index = all.lastIndex(where: { $0.user == user }) { all[index].keys.append(press) }
    case .sourceRefused: refusedCount += 1
    case .remoteAddressChanged: break
    }
  }

  /// End of the sound, in samples of the pipeline's time; nil while a source sends.
  var soundEnd: Int? { areOver ? latestEnd : nil }

  /// Summary in a line.
  var text: String {
    let names = all.map { "user \($0.user): \($0.format) from \($0.address)" }
    let refused =
      refusedCount > 0 ? "; \(refusedCount) \(refusedCount == 1 ? "source was" : "sources were") refused" : ""
    return "\(all.count) \(all.count == 1 ? "source" : "sources")"
      + (names.isEmpty ? "" : ", " + names.joined(separator: ", ")) + refused
  }

  /// Writes the fields of the result.
  ///
  /// - Parameters:
  ///   - json: an object.
  ///   - prefix: path of the files up to the number of the user.
  func write(_ json: inout JSONWriter, filePrefix prefix: String) {
    json.field("schema", 1)
    json.array("sources") { json in
      for source in all {
        json.object { json in
          json.field("uid", Int(source.user))
          json.field("ssrc", Int(source.ssrc))
          json.field("format", "\(source.format)")
          json.field("from", "\(source.address)")
          json.field("begin_s", source.beginSeconds, decimals: 3)
          if let end = source.endSeconds { json.field("end_s", end, decimals: 3) }
          if let end = source.end { json.field("end", "\(end)") }
          json.field("path", "\(prefix)\(source.user).wav")
          json.array("key_presses") { json in
            for press in source.keys { json.object { press.writeFields(&$0) } }
          }
        }
      }
    }
    json.field("refused_sources", refusedCount)
  }
}
