// Packets of channels as they were encoded: programs import one module.
//
//     import EncodedAudio
@_exported public import RelayClient
