import CommandTestSupport
import Foundation
import NetworkIO
import Platform
import TestSupport
import Testing

/// What descriptions of others ask of `rtp receive`.
@Suite("rtp receive: descriptions", .timeLimit(.minutes(10)))
struct RTPDescriptionTests {
  private func folder() throws -> Workspace {
    let folder = try Workspace()
    let tone = Signals.sine(440, rate: 48_000, seconds: 1, amplitude: 0.3)
    try folder.write("in.wav", Signals.wave("s16", rate: 48_000, channels: 1, tone).file())
    return folder
  }

  private func describe(port: Int, host: String = "127.0.0.1", _ lines: String..., in folder: Workspace) throws {
    let text =
      ["v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=-", "c=IN \(host.contains(":") ? "IP6" : "IP4") \(host)", "t=0 0"]
      + ["m=audio \(port) RTP/AVP 111", "a=rtpmap:111 opus/48000/2"] + lines
    try folder.write("stream.sdp", Array(text.map { $0 + "\r\n" }.joined().utf8))
  }

  private func receiver(in folder: Workspace) throws -> Tool.Run {
    let run = try Tool.launch("rtp receive --sdp stream.sdp -o out.wav --json --timeout 5", in: folder)
    let listens = run.poll {
      (try? String(contentsOfFile: run.errorPath, encoding: .utf8))?.contains("listening at") == true
    }
    try #require(listens, "\((try? String(contentsOfFile: run.errorPath, encoding: .utf8)) ?? "")")
    return run
  }

  @Test("reports are received at the port of a=rtcp, and the next port is free", .shows("rtp: descriptions"))
  func reportPort() throws {
    let (port, reportPort) = (try Ports.pair(), try Ports.pair())
    let folder = try folder()
    try describe(port: port, "a=rtcp:\(reportPort)", in: folder)
    let run = try receiver(in: folder)
    #expect(throws: NetworkError.self) { _ = try UDPSocket(at: try SocketAddress(":\(reportPort)")) }
    #expect(throws: Never.self) { _ = try UDPSocket(at: try SocketAddress(":\(port + 1)")) }
    // What is heard there counts: the goodbye of the source ends it.
    let sender = try UDPSocket(at: try SocketAddress("127.0.0.1:0"))
    let packet: [UInt8] = [0x80, 111, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0xF8, 0xFF, 0xFE]
    let goodbye: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0, 7, 0x81, 203, 0, 1, 0, 0, 0, 7]
    packet.withUnsafeBytes { _ = sender.send($0, to: try! SocketAddress("127.0.0.1:\(port)")) }
    goodbye.withUnsafeBytes { _ = sender.send($0, to: try! SocketAddress("127.0.0.1:\(reportPort)")) }
    let began = ContinuousClock.now
    let ending = try Tool.finish(run, in: folder)
    #expect(ending.status == 0 && ending.json?["packets"] as? Int == 1, "\(ending.errors)")
    #expect(ContinuousClock.now - began < .seconds(4), "by the goodbye, not by the timeout")
  }

  @Test("a port for reports that another program has is refused", .shows("rtp: descriptions"))
  func takenReportPort() throws {
    let (port, reportPort) = (try Ports.pair(), try Ports.pair())
    let folder = try folder()
    try describe(port: port, "a=rtcp:\(reportPort)", in: folder)
    let taken = try UDPSocket(at: try SocketAddress(":\(reportPort)"))
    let ending = try Tool.run("rtp receive --sdp stream.sdp -o out.wav --timeout 1", in: folder)
    #expect(ending.status == 69 && ending.errors.contains("\(reportPort) is in use"), "\(ending.errors)")
    withExtendedLifetime(taken) {}
  }

  /// A machine without a network has no way to a group.
  private static let groups = ["239.255.17.7/1", "ff15::1707"].filter { host in
    let address = host.contains(":") ? "[\(host)]" : String(host.prefix { $0 != "/" })
    return (try? UDPSocket.checkWay(to: try SocketAddress(address + ":9"))) != nil
  }

  @Test(
    "a multicast group is joined, and two receivers hear its sender", .shows("rtp: descriptions"), .serialized,
    arguments: groups)
  func group(host: String) throws {
    let port = try Ports.pair()
    let folder = try folder()
    try describe(port: port, host: host, in: folder)
    let run = try receiver(in: folder)
    let second = try Workspace()
    try second.write("stream.sdp", try folder.read("stream.sdp"))
    let other = try receiver(in: second)
    let address = host.contains(":") ? "[\(host)]" : String(host.prefix { $0 != "/" })
    let sent = try Tool.run("rtp send in.wav --url rtp://\(address):\(port) --sdp sent.sdp", in: folder)
    #expect(sent.status == 0, "\(sent.errors)")
    for (run, folder) in [(run, folder), (other, second)] {
      let ending = try Tool.finish(run, in: folder)
      #expect(ending.status == 0 && ending.json?["packets"] as? Int ?? 0 > 45, "\(ending.errors)\(ending.text)")
    }
    let text = String(decoding: try folder.read("sent.sdp"), as: UTF8.self)
    #expect(text.contains("c=IN \(host.contains(":") ? "IP6" : "IP4") \(host)\r\n"))
  }

  @Test(
    "a stream that is switched off or has no sender is refused", .shows("rtp: descriptions"),
    arguments: [(true, "a=sendonly", "switched off"), (false, "a=inactive", "the stream has no sender")])
  func nobody(isOff: Bool, line: String, sentence: String) throws {
    let folder = try folder()
    try describe(port: isOff ? 0 : Ports.pair(), line, in: folder)
    let ending = try Tool.run("rtp receive --sdp stream.sdp -o out.wav --timeout 1", in: folder)
    #expect(ending.status == 65 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("stream.sdp") && ending.errors.contains(sentence), "\(ending.errors)")
    #expect(!folder.has("out.wav"))
    // The mark that editors put before UTF-8 changes nothing.
    try folder.write("stream.sdp", [0xEF, 0xBB, 0xBF] + (try folder.read("stream.sdp")))
    let marked = try Tool.run("rtp receive --sdp stream.sdp -o out.wav --timeout 1", in: folder)
    #expect(marked.status == 65 && marked.errors == ending.errors, "\(marked.errors)")
  }

  @Test(
    "a description is heard with each direction that it may give", .shows("rtp: descriptions"), .serialized,
    arguments: ["sendonly", "sendrecv", "recvonly"])
  func directions(direction: String) throws {
    let port = try Ports.pair()
    let folder = try folder()
    try describe(port: port, "a=\(direction)", in: folder)
    let run = try receiver(in: folder)
    let sent = try Tool.run("rtp send in.wav --url rtp://127.0.0.1:\(port)", in: folder)
    let ending = try Tool.finish(run, in: folder)
    #expect(sent.status == 0 && ending.status == 0 && ending.json?["packets"] as? Int ?? 0 > 45, "\(ending.errors)")
    #expect(ending.errors.contains("a=recvonly") == (direction == "recvonly"))
  }
}
