import Devices
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioRouteTests {
  private static func device(_ id: String, _ name: String = "", _ direction: AudioDirection = .playout) -> AudioDevice {
    AudioDevice(id: id, name: name, direction: direction)
  }

  @Test(
    "the name of a device that plays decides the route", .shows("D8"),
    arguments: [
      ("hw:CARD=PCH,DEV=0", "HDA Intel PCH, ALC257 Analog", AudioRoute.loudspeaker),
      ("default", "Default", .loudspeaker),
      ("hw:CARD=PCH,DEV=0", "Headphones", .headsetWithoutMicrophone),
      ("plughw:CARD=Headset,DEV=0", "USB Audio", .headset),
      ("hw:CARD=H,DEV=0", "Jabra EVOLVE 20", .headset),
      ("hw:CARD=U,DEV=0", "Jabra SPEAK 510", .speakerphone),
      ("hw:CARD=U,DEV=0", "USB Speakerphone", .speakerphone),
      ("bluealsa:DEV=00:11:22:33:44:55", "Headset", .bluetooth),
      ("pulse", "bluez_output.00_11_22", .bluetooth),
      ("hw:0,3", "Handset Earpiece", .earpiece),
    ])
  func names(id: String, name: String, route: AudioRoute) {
    #expect(AudioRoute(playout: Self.device(id, name)) == route)
  }

  @Test(
    "headphones are a headset if their own card captures", .shows("D8"),
    arguments: [
      ("plughw:CARD=PCH,DEV=2", AudioRoute.headset), ("hw:CARD=PCH", .headset),
      ("hw:CARD=Webcam,DEV=0", .headsetWithoutMicrophone),
      ("default", .headsetWithoutMicrophone),
    ])
  func capture(id: String, route: AudioRoute) {
    let headphones = Self.device("hw:CARD=PCH,DEV=0", "Headphones")
    #expect(AudioRoute(playout: headphones, capture: Self.device(id, "Microphone", .capture)) == route)
  }

  @Test("nothing that plays is the default route", .shows("D8"))
  func nothing() {
    #expect(AudioRoute(playout: nil) == .default)
    #expect(AudioRoute(playout: nil, capture: Self.device("hw:0", "Headset", .capture)) == .default)
    #expect(AudioRoute.allCases.map(\.rawValue) == [-1, 0, 1, 2, 3, 4, 5])
  }
}
