import SDP

/// Feeds any bytes to the reader of WebRTC descriptions. It may refuse them, and must not crash. A description that is
/// read is written, read again as the same text, answered, and its answer applied.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebRTCDescription(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  _ = CandidateLine(parsing: text)
  _ = CertificateFingerprint(text: text)
  guard let offer = try? WebRTCDescription(parsing: text) else { return 0 }
  precondition(offer.sections.count <= 64 && offer.audioSections.count <= 32)
  // Written text can exceed the limits, since sections repeat the session's attributes.
  if let again = try? WebRTCDescription(parsing: offer.text) {
    precondition(again.text == offer.text)
  }
  for isLite in [true, false] { answer(offer, isLite: isLite) }
  return 0
}

private func answer(_ offer: WebRTCDescription, isLite: Bool) {
  let local = LocalTransport(
    sessionID: 1, usernameFragment: "name", password: "passwordpasswordpassword",
    fingerprints: [CertificateFingerprint(bytes: [UInt8](repeating: 7, count: 32))!], isLite: isLite)
  let stream = SentStream(ssrc: 1, cname: "c", id: MediaStreamID(stream: "s"))
  let answer = try! WebRTCDescription.answer(to: offer, with: local) { section in
    section.opus.count == 1 ? .accept(SectionAnswer.Terms(stream: stream)) : .refuse
  }
  precondition(answer.sections.count == offer.sections.count)
  precondition(answer.sections.map(\.mid) == offer.sections.map(\.mid))
  let read = try! WebRTCDescription(parsing: answer.text)
  precondition(read.text == answer.text && read.audioSections.count == answer.audioSections.count)
  precondition(read.bundles == answer.bundles)
  do throws(OfferAnswerError) {
    let session = try OfferAnswer.apply(answer: read, to: offer)
    precondition(session.sections.count == answer.audioSections.count)
    precondition(session.remoteTransport.usernameFragment == "name")
  } catch {
    precondition(error == .allRefused && answer.audioSections.isEmpty)
  }
  // The same offer again keeps its sections.
  let later = try! WebRTCDescription.answer(to: offer, with: local, following: answer) { _ in .refuse }
  precondition(later.audioSections.isEmpty && later.version == 2)
}
