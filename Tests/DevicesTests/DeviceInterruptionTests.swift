import AudioGraph
import GraphTestSupport
import TestSupport
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10))) struct DeviceInterruptionTests {
  private let microphone = VirtualDevice(id: "mic", direction: .capture)
  private let loudspeaker = VirtualDevice(id: "speaker", direction: .playout)

  @Test("a microphone that stalls for long is reported, and heard again", .shows("devices: faults"))
  func captureStall() throws {
    let lab = try CaptureLab(microphone, signal: { _ in 0.5 })
    lab.run(.seconds(1))
    lab.devices.stall("mic", for: .seconds(5))
    lab.run(.seconds(7))
    #expect(lab.source.takeEvents().map(\.line) == ["opened mic", "interrupted mic", "resumed mic"])
    #expect(abs((lab.samples.last ?? 0) - 0.5) < 1e-4)
  }

  @Test("a loudspeaker that stalls for long is reported, and plays again", .shows("devices: faults"))
  func playoutStall() throws {
    let lab = try PlayoutLab(loudspeaker, source: PlayoutLab.tone(seconds: 8))
    lab.run(.seconds(1))
    lab.devices.stall("speaker", for: .seconds(5))
    lab.run(.seconds(1.9))
    #expect(lab.sink.takeEvents().map(\.line) == ["opened speaker"])
    lab.run(.seconds(5))
    #expect(lab.sink.takeEvents().map(\.line) == ["interrupted speaker", "resumed speaker"])
    #expect(lab.samples.suffix(480).contains { $0 > 0.4 })
  }

  @Test(
    "a suspended device is reported at once, and used again when resumed", .shows("devices: faults"),
    arguments: AudioDirection.allCases)
  func suspension(_ direction: AudioDirection) throws {
    if direction == .capture {
      let lab = try CaptureLab(microphone, signal: { _ in 0.5 })
      lab.run(.seconds(1))
      lab.devices.suspend("mic", for: .seconds(1))
      lab.run(.milliseconds(100))
      #expect(lab.source.takeEvents().map(\.line) == ["opened mic", "interrupted mic"])
      lab.run(.seconds(2))
      #expect(lab.source.takeEvents().map(\.line) == ["resumed mic"])
      #expect(abs((lab.samples.last ?? 0) - 0.5) < 1e-4)
    } else {
      let lab = try PlayoutLab(loudspeaker, source: PlayoutLab.tone(seconds: 8))
      lab.run(.seconds(1))
      lab.devices.suspend("speaker", for: .seconds(1))
      lab.run(.milliseconds(100))
      #expect(lab.sink.takeEvents().map(\.line) == ["opened speaker", "interrupted speaker"])
      lab.run(.seconds(2))
      #expect(lab.sink.takeEvents().map(\.line) == ["resumed speaker"])
      #expect(lab.samples.suffix(480).contains { $0 > 0.4 })
    }
  }

  @Test("a device thread that did not run does not call its device stalled")
  func lateThread() {
    var watch = StallWatch()
    for second in 0..<5 { #expect(watch.observe(hasMoved: false, atNanoseconds: second * 10_000_000_000) == nil) }
  }

  @Test("a fallback sounds on while the opening of the chosen device hangs", .shows("devices: choice"))
  func hangingReturn() throws {
    let host = HangingHost(hanging: "mic")
    host.system.plug(VirtualDevice(id: "other", direction: .capture))
    host.system.plug(microphone)
    let progress = RenderState(StreamProgress())
    let transfer = CountingTransfer()
    let stream = DeviceStream(
      host: host, deviceID: "mic", direction: .capture, request: PCMRequest(sampleRate: 48_000, channelCount: 1),
      fallsBack: true, transfer: transfer, figures: progress)
    try stream.open()
    host.hang()
    host.system.unplug("mic")
    var lines: [String] = []
    func service(until last: String) -> Bool {
      eventually {
        host.clock.wait(untilNanoseconds: host.clock.nowNanoseconds + 10_000_000)
        stream.service()
        lines += stream.takeEvents().map(\.line)
        return lines.last == last
      }
    }
    #expect(service(until: "opened other"))
    host.system.plug(microphone)
    let moves = transfer.moveCount
    // The chosen device is tried at each change of the devices; its opening does not end.
    for _ in 0..<100 {
      host.clock.wait(untilNanoseconds: host.clock.nowNanoseconds + 10_000_000)
      stream.service()
    }
    #expect(transfer.moveCount == moves + 100)
    host.release()
    #expect(service(until: "opened mic"))
    #expect(lines == ["opened mic", "unplugged mic", "opened other", "plugged mic", "opened mic"])
    stream.close()
  }

  /// A transfer that drops what it reads, and counts its calls.
  private final class CountingTransfer: StreamTransfer {
    var moveCount = 0
    func begin(_ pcm: any PCM, isNew: Bool) throws(PCMFault) { try pcm.start() }
    func move(_ pcm: any PCM) throws(PCMFault) -> Bool {
      var samples = [Float](repeating: 0, count: try pcm.status().available * pcm.format.channelCount)
      _ = try samples.withUnsafeMutableBufferPointer { buffer throws(PCMFault) in
        try pcm.read(into: buffer.baseAddress!, count: buffer.count / pcm.format.channelCount)
      }
      moveCount += 1
      return true
    }
    func end() {}
  }
}
