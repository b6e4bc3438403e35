import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10)))
struct ALSANameTests {
  @Test("the default PCM is the standard one", arguments: ["default"])
  func standard(name: String) { #expect(ALSAName(name).kind == .standard) }

  @Test("sound servers are distinguished from converters", arguments: ["pulse", "pipewire"])
  func servers(name: String) { #expect(ALSAName(name).kind == .server) }

  @Test("devices of cards are hardware", arguments: ["hw:0", "hw:1,3", "hw:CARD=PCH,DEV=0", "hw:CARD=USB"])
  func hardware(name: String) { #expect(ALSAName(name).kind == .hardware) }

  @Test(
    "plugins that convert or share a device are converters",
    arguments: [
      "plughw:CARD=PCH,DEV=0", "dmix:CARD=PCH,DEV=0", "dsnoop:CARD=PCH,DEV=0", "sysdefault", "sysdefault:CARD=PCH",
      "default:CARD=PCH", "front:CARD=PCH,DEV=0", "surround21:CARD=PCH,DEV=0", "surround71:CARD=PCH,DEV=0",
      "iec958:CARD=PCH,DEV=0", "hdmi:CARD=HDMI,DEV=2", "lavrate", "samplerate", "speexrate", "speex", "jack", "oss",
      "null", "upmix", "vdownmix", "usbstream:CARD=PCH", "a52", "plug:default",
    ])
  func converters(name: String) { #expect(ALSAName(name).kind == .converter) }

  @Test(
    "other names are PCMs of the user", arguments: ["monitor", "my_dmix", "bluealsa:DEV=00:11", "hwx", "pulse2", ""])
  func custom(name: String) { #expect(ALSAName(name).kind == .custom) }

  @Test("a device of a card is named by the card's identifier")
  func card() {
    let name = ALSAName(card: "PCH", device: 3)
    #expect(name.text == "hw:CARD=PCH,DEV=3")
    #expect(name.base == "hw")
  }
}
