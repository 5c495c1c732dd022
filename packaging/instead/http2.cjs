/** HTTP/2, which got loads and which nobody here turns on: Node takes 1.5 MB for it. */
module.exports = { constants: {}, Http2ServerResponse: class {} };
