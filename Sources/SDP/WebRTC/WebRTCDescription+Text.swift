import RTP

extension WebRTCDescription {
  /// The description as SDP. It contains the ICE passwords in plain text, and candidates once for each bundle.
  public var text: String {
    var lines = ["v=0", "o=- \(sessionID) \(version) IN IP4 0.0.0.0", "s=-", "t=0 0"]
    lines += bundles.map { "a=group:BUNDLE \($0.joined(separator: " "))" }
    // Some readers take the names of tracks from a=msid only after this line.
    lines.append("a=msid-semantic:WMS *")
    if isLite { lines.append("a=ice-lite") }
    let untagged = Set(bundles.flatMap { $0.dropFirst() })
    for section in sections {
      switch section {
      case .audio(let section):
        lines += section.lines(withCandidates: section.mid.map { !untagged.contains($0) } ?? true)
      case .refused(let section):
        lines.append("m=\(section.kind) 0 \(section.profile) \(section.formats.joined(separator: " "))")
        lines.append("c=IN IP4 0.0.0.0")
        if let mid = section.mid { lines.append("a=mid:\(mid)") }
        lines.append("a=inactive")
      }
    }
    // No part may begin a new line.
    return lines.map { $0.filter { !$0.isNewline } + "\r\n" }.joined()
  }
}

extension AudioSection {
  /// Lines for SDP.
  fileprivate func lines(withCandidates: Bool) -> [String] {
    var lines = ["m=audio \(port) \(profile) \(formats.joined(separator: " "))", "c=IN IP4 0.0.0.0"]
    if let mid { lines.append("a=mid:\(mid)") }
    if isBundleOnly { lines.append("a=bundle-only") }
    lines.append("a=\(direction.rawValue)")
    if let transport { lines += transport.lines(withCandidates: withCandidates) }
    if usesRTCPMux { lines.append("a=rtcp-mux") }
    if usesReducedSizeRTCP { lines.append("a=rtcp-rsize") }
    for type in opus {
      lines.append("a=rtpmap:\(type.payloadType) opus/48000/2")
      if !type.parameters.text.isEmpty { lines.append("a=fmtp:\(type.payloadType) \(type.parameters.text)") }
    }
    for events in telephoneEvents {
      lines.append("a=rtpmap:\(events.payloadType) \(TelephoneEventFormat.encodingName)/\(events.clockRate)")
    }
    lines += feedback.map { "a=rtcp-fb:\($0.text)" }
    lines += headerExtensions.map { "a=extmap:\($0.text)" }
    lines += streams.map { "a=msid:\($0.text)" }
    for source in sources { lines.append("a=ssrc:\(source.ssrc)" + (source.cname.map { " cname:\($0)" } ?? "")) }
    return lines
  }
}

extension TransportDescription {
  /// Lines for SDP.
  fileprivate func lines(withCandidates: Bool) -> [String] {
    var lines = ["a=ice-ufrag:\(usernameFragment)", "a=ice-pwd:\(password)"]
    if !options.isEmpty { lines.append("a=ice-options:\(options.joined(separator: " "))") }
    lines += fingerprints.map { "a=fingerprint:\($0)" }
    if let setup { lines.append("a=setup:\(setup.rawValue)") }
    if withCandidates {
      lines += candidates.map { "a=candidate:\($0.text)" }
      if hasAllCandidates { lines.append("a=end-of-candidates") }
    }
    return lines
  }
}
