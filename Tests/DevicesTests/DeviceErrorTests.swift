import Glibc
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10)))
struct DeviceErrorTests {
  @Test("a busy device is named with an action", arguments: [EBUSY, EAGAIN])
  func busy(error: Int32) {
    let found = DeviceError(opening: "hw:0", .capture, error: error, .allowed)
    #expect(found.reason == .busy)
    #expect(
      found.message
        == "the capture device 'hw:0' is used by another program; close that or choose another (audiopipe devices)")
  }

  @Test("a missing permission names the group 'audio'", arguments: [EACCES, EPERM])
  func permission(error: Int32) {
    let found = DeviceError(opening: "hw:0", .playout, error: error, .allowed)
    #expect(found.reason == .noPermission)
    #expect(found.message.contains("the playout device 'hw:0'") && found.message.contains("group 'audio'"))
  }

  @Test("an unknown device is not found", arguments: [ENOENT, ENODEV, ENXIO])
  func unknown(error: Int32) {
    let found = DeviceError(opening: "hw:7", .capture, error: error, .allowed)
    #expect(found.reason == .notFound)
    #expect(found.message == "the capture device 'hw:7' does not exist; choose another (audiopipe devices)")
  }

  @Test("a machine without a card has no default device")
  func noDevice() {
    let found = DeviceError(opening: "default", .capture, error: ENOENT, .absent)
    #expect(found.reason == .notFound)
    #expect(found.message.hasPrefix("this machine shows no capture device; connect one"))
  }

  @Test("cards that the user may not open are a missing permission", arguments: ["default", "hw:0"])
  func unseen(id: String) {
    #expect(DeviceError(opening: id, .capture, error: ENOENT, .forbidden).reason == .noPermission)
  }

  @Test("a sound server that does not run is named as the reason")
  func server() {
    let found = DeviceError(opening: "pulse", .playout, error: ECONNREFUSED, .absent)
    #expect(found.reason == .notFound)
    #expect(found.message.contains("a sound server that does not run"))
  }

  @Test("other failures carry the system's words")
  func other() {
    let found = DeviceError(opening: "pulse", .playout, error: EIO, .allowed)
    #expect(found.reason == .failed)
    #expect(found.message.contains("(Input/output error)"))
  }

  @Test(
    "ALSA's message about a plugin or the configuration is in the error",
    arguments: [ENXIO, EINVAL])
  func cause(error: Int32) {
    let found = DeviceError(
      opening: "default", .playout, error: error, .absent, cause: "Cannot open shared library x.so")
    #expect(found.reason == .failed && found.message.contains("ALSA says: Cannot open shared library x.so;"))
  }

  @Test("a format without agreement names the request", arguments: [(1, "1 channel;"), (2, "2 channels;")])
  func format(count: Int, words: String) {
    let request = PCMRequest(sampleRate: 44_100, channelCount: count)
    let found = DeviceError(negotiating: "hw:0", .capture, request, error: EINVAL)
    #expect(found.reason == .unsupportedFormat)
    #expect(found.message.contains("44100 Hz") && found.message.contains(words))
  }

  @Test("a device that goes during the agreement is not a wrong format")
  func vanished() {
    let request = PCMRequest(sampleRate: 48_000, channelCount: 1)
    #expect(DeviceError(negotiating: "hw:0", .capture, request, error: ENODEV).reason == .notFound)
    #expect(DeviceError(negotiating: "hw:0", .capture, request, error: EBUSY).reason == .busy)
  }
}
