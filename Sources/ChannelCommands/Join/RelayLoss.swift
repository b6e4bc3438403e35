import JSON

/// A time in which the relay was not reached, in seconds since the command began.
struct RelayLoss: Sendable {
  /// Begin of the relay's silence; nil if the channel was joined again without one, as after a short restart.
  var lostSeconds: Double?
  /// Return of the relay; nil if it did not come back.
  var backSeconds: Double?

  /// Whether a join at this time belongs to the outage.
  func ends(at seconds: Double) -> Bool { backSeconds.map { seconds - $0 < 2 } ?? true }

  /// Words for the summary.
  var text: String {
    let back = backSeconds.map { JSONWriter.digits($0, 1) }
    guard let lostSeconds else { return "joined again at \(back ?? "") s" }
    return "relay lost at \(JSONWriter.digits(lostSeconds, 1)) s, \(back.map { "back at \($0) s" } ?? "not back")"
  }

  func write(_ json: inout JSONWriter) {
    json.object { json in
      if let lostSeconds { json.field("lost_s", lostSeconds, decimals: 1) }
      if let backSeconds { json.field("back_s", backSeconds, decimals: 1) }
    }
  }
}
