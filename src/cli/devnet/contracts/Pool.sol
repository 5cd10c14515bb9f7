// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// @title A swap pool of the devnet, with the events of a Uniswap v2 pair and 0.3 % for the pool.
/// @notice For trying only: whoever adds liquidity has given it away.
contract Pool {
    Token public immutable token0;
    Token public immutable token1;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private lastSwap;

    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );
    event Sync(uint112 reserve0, uint112 reserve1);

    error NoSuchToken(address token);
    error NothingOut();

    constructor(address token0_, address token1_) {
        token0 = Token(token0_);
        token1 = Token(token1_);
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, lastSwap);
    }

    /// @notice Takes both tokens from the caller, who has approved that.
    function add(uint256 amount0, uint256 amount1) external {
        token0.transferFrom(msg.sender, address(this), amount0);
        token1.transferFrom(msg.sender, address(this), amount1);
        emit Mint(msg.sender, amount0, amount1);
        update(reserve0 + amount0, reserve1 + amount1);
    }

    /// @notice Takes a token from the caller, who has approved that, and gives the other one.
    function swap(address tokenIn, uint256 amountIn, address to) external returns (uint256 amountOut) {
        bool isToken0 = tokenIn == address(token0);
        if (!isToken0 && tokenIn != address(token1)) revert NoSuchToken(tokenIn);
        (uint256 reserveIn, uint256 reserveOut) =
            isToken0 ? (uint256(reserve0), uint256(reserve1)) : (uint256(reserve1), uint256(reserve0));
        uint256 counted = amountIn * 997;
        amountOut = (counted * reserveOut) / (reserveIn * 1000 + counted);
        if (amountOut == 0) revert NothingOut();
        Token(tokenIn).transferFrom(msg.sender, address(this), amountIn);
        (isToken0 ? token1 : token0).transfer(to, amountOut);
        if (isToken0) {
            update(reserveIn + amountIn, reserveOut - amountOut);
            emit Swap(msg.sender, amountIn, 0, 0, amountOut, to);
        } else {
            update(reserveOut - amountOut, reserveIn + amountIn);
            emit Swap(msg.sender, 0, amountIn, amountOut, 0, to);
        }
    }

    function update(uint256 amount0, uint256 amount1) private {
        reserve0 = uint112(amount0);
        reserve1 = uint112(amount1);
        lastSwap = uint32(block.timestamp);
        emit Sync(reserve0, reserve1);
    }
}
